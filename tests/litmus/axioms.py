"""Whether an execution of a PTX litmus test with a given outcome exists: the axioms of the PTX memory model, once more.

Written from Dat3M's cat/ptx-v6.0.cat, not from model.cpp, and works on the exported text, so that the model, the export
and this must agree. No read-modify-writes, proxies or dependencies. A relation is a list of bit sets, one for each event.
"""
import itertools


def union(*relations):
    rows = list(relations[0])
    for relation in relations[1:]:
        rows = [a | b for a, b in zip(rows, relation)]
    return rows


def common(first, second):
    return [a & b for a, b in zip(first, second)]


def sequence(*relations):
    result = relations[0]
    for following in relations[1:]:
        rows = []
        for row in result:
            reached = 0
            for b, more in enumerate(following):
                if row >> b & 1:
                    reached |= more
            rows.append(reached)
        result = rows
    return result


def plus(relation):
    rows = list(relation)
    for k in range(len(rows)):
        for i in range(len(rows)):
            if rows[i] >> k & 1:
                rows[i] |= rows[k]
    return rows


def maybe(relation):
    return [row | 1 << i for i, row in enumerate(relation)]


def inverse(relation):
    return [sum(1 << b for b, row in enumerate(relation) if row >> a & 1) for a in range(len(relation))]


def irreflexive(relation):
    return not any(row >> i & 1 for i, row in enumerate(relation))


class Event:
    def __init__(self, kind, thread, block, order="weak", scope=None, location=None, value=0, register=None):
        self.kind, self.thread, self.block, self.order, self.scope = kind, thread, block, order, scope
        self.location, self.value, self.register = location, value, register
        self.strong = kind == "F" or order in ("relaxed", "acquire", "release")
        self.memory = kind in "RW"

    def reaches(self, other):
        return self.scope in ("gpu", "sys") or self.block == other.block  # all tests are on one GPU


def is_possible(events, registers, finals):
    """events: of all threads, in program order each, behind the initial writes (thread None). registers: (thread, name)
    to value; finals: location to value."""
    numbers = range(len(events))

    def relation(holds):
        return [sum(1 << b for b in numbers if holds(events[a], events[b], a, b)) for a in numbers]

    po = relation(lambda x, y, a, b: x.thread is not None and x.thread == y.thread and a < b)
    loc = relation(lambda x, y, a, b: a != b and x.memory and y.memory and x.location == y.location)
    po_loc = common(po, loc)
    either_po = union(po, inverse(po))
    ms1 = union(either_po, relation(lambda x, y, a, b: x.strong and y.strong and x.reaches(y) and y.reaches(x)))
    ms2 = relation(lambda x, y, a, b: a != b and (not (x.memory and y.memory) or x.location == y.location))
    morally_strong = common(ms1, ms2)
    barriers = relation(lambda x, y, a, b: a != b and x.kind == y.kind == "B" and x.block == y.block)
    release = relation(lambda x, y, a, b: y.kind == "W" and y.strong and (
        x.kind == "W" and x.order == "release" and (a == b or po_loc[a] >> b & 1) or x.kind == "F" and po[a] >> b & 1))
    acquire = relation(lambda x, y, a, b: x.kind == "R" and x.strong and (
        y.kind == "R" and y.order == "acquire" and (a == b or po_loc[a] >> b & 1) or y.kind == "F" and po[a] >> b & 1))

    writes = [a for a in numbers if events[a].kind == "W"]
    reads = [a for a in numbers if events[a].kind == "R"]
    fences = [a for a in numbers if events[a].kind == "F" and events[a].order == "sc"]
    sources = [[w for w in writes if loc[w] >> r & 1 and events[w].value == registers[events[r].thread, events[r].register]]
               for r in reads]
    pairs = [(a, b) for a, b in itertools.combinations(writes, 2) if loc[a] >> b & 1]

    def choices(a, b):
        if events[a].thread is None:
            return [(a, b)]
        return [(a, b), (b, a)] + ([] if morally_strong[a] >> b & 1 else [None])

    for order in itertools.product(*(choices(a, b) for a, b in pairs)):
        co = [0] * len(events)
        for edge in filter(None, order):
            co[edge[0]] |= 1 << edge[1]
        co = plus(co)
        if not irreflexive(co):
            continue
        last = {location: [events[w].value for w in writes if events[w].location == location and not co[w]]
                for location in finals}
        if any(value not in last[location] for location, value in finals.items()):
            continue
        for source in itertools.product(*sources):
            rf = [0] * len(events)
            for write, read in zip(source, reads):
                rf[write] |= 1 << read
            fr = sequence(inverse(rf), co)
            if not irreflexive(plus(union(common(morally_strong, union(rf, co, fr)), po_loc))):
                continue
            observation = common(morally_strong, rf)
            sync = common(morally_strong, sequence(release, observation, acquire))
            for permutation in itertools.permutations(fences):
                sync_fence = [0] * len(events)
                for a, b in itertools.combinations(permutation, 2):
                    sync_fence[a] |= morally_strong[a] & 1 << b
                base = plus(sequence(maybe(po), union(sync, sync_fence, barriers), maybe(po)))
                cause = union(base, sequence(observation, union(base, po_loc)))
                ordered = all(not (cause[a] >> b & 1) or co[a] >> b & 1 for a in writes for b in writes if loc[a] >> b & 1)
                if ordered and irreflexive(sequence(sync_fence, cause)) and irreflexive(sequence(union(rf, fr), cause)):
                    return True
    return False
