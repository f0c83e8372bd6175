"""What ci/mutate-checked weakens: the tokens of the library that synchronise, and the tests of the checker that know them."""
import re

from mutants import Mutant, digest_of

# What weakens a line, and how. An order of a fence is one of these, too; without any it is no fence but nothing.
RULES = [
    ("drop-order", r"memory_order_release\b", "memory_order_relaxed"),
    ("drop-order", r"memory_order_acquire\b", "memory_order_relaxed"),
    ("drop-order", r"memory_order_acq_rel\b", "memory_order_release"),
    ("drop-order", r"memory_order_acq_rel\b", "memory_order_acquire"),
    ("drop-order", r"memory_order_seq_cst\b", "memory_order_acq_rel"),
    ("drop-fence", r"(backend::)?atomic_thread_fence\b[^;]*;", ";"),
    ("drop-barrier", r"(this_block\(\)|this_wave\(\)|block|here)\.sync\(\);", ";"),
    ("drop-barrier", r"(?<![.\w])sync\(\);", ";"),  # a tile's own
    ("drop-barrier", r"backend::cluster_sync\(\);", ";"),
    ("narrow-scope", r"\bthread_scope(::|_)device\b", r"thread_scope\1block"),
    ("narrow-scope", r"\bthread_scope::system\b", "thread_scope::device"),
    ("narrow-scope", r"\bthread_scope::block\b", "thread_scope::wave"),
    ("narrow-scope", r"\bdevice_atomic_ref\b", "block_atomic_ref"),
    ("narrow-scope", r"(?<=<)(Scope|S)(?=, std::memory_order)", "thread_scope::block"),
]
CLASSES = list(dict.fromkeys(rule[0] for rule in RULES))
# The headers, and of which file which cases know them.
SUBJECTS = {
    "detail/grid_barrier/all_to_all": ("grid_barrier", ["*all_to_all"]),
    "detail/grid_barrier/central_generation": ("grid_barrier", ["*central_generation"]),
    "detail/grid_barrier/combining": ("grid_barrier", ["*combining*"]),
    "detail/grid_barrier/crossing_number": ("grid_barrier", ["*all_to_all", "*deadline"]),
    "detail/grid_barrier/deadline": ("grid_barrier", ["monotonic", "all_to_all", "*deadline"]),
    "detail/grid_barrier/gather_scatter": ("grid_barrier", ["*gather_scatter"]),
    "detail/grid_barrier/hierarchical": ("grid_barrier", ["*hierarchical*"]),
    "detail/grid_barrier/one_word": ("grid_barrier", ["*monotonic", "*sense"]),
    "detail/grid_barrier/striped": ("grid_barrier", ["*striped"]),
    "detail/grid_barrier/words": ("grid_barrier", ["all_to_all", "gather_scatter", "hierarchical"]),
    "detail/exchange/unit": ("dataflow", ["exchange*"]),
    "detail/exchange/view": ("dataflow", ["exchange*"]),
    "detail/generic/barrier": ("block", ["barrier*"]),
    "detail/wide_tile": ("block", ["wide tiles*"]),
    "counter": ("dataflow", ["counter*"]),
    "flagged": ("dataflow", ["flagged*"]),
    "histogram": ("block", ["*histogram*"]),
    "latch": ("block", ["latch*"]),
    "reduce": (None, ["block_reduce*", "last_block*"]),
    "semaphore": ("block", ["*semaphore*"]),
    "sentinel": ("dataflow", ["sentinel*"]),
    "task_event": ("dataflow", ["task_event*"]),
    "wave_serialize": ("block", ["wave_serialize"]),
}


def mutants_of(root, path):
    whole = (root / path).read_text()
    for number, line in enumerate(whole.splitlines()):
        code = re.sub(r'//.*|"[^"]*"', lambda m: " " * len(m[0]), line)
        for kind, pattern, replacement in RULES:
            for match in re.finditer(pattern, code):
                after = match.expand(replacement)
                # A fence of one order and without it: that is drop-fence.
                if kind != "drop-order" or after != "memory_order_relaxed" or "atomic_thread_fence" not in code:
                    yield Mutant(kind, path, number, match.start(), match[0], after, line.strip(), digest_of(whole))


def cases_of(mutant):
    """The files of tests that know a mutant, with the patterns of their cases."""
    file, cases = SUBJECTS[mutant.path.removeprefix("include/fermata/").removesuffix(".hpp")]
    return [(f, cases) for f in ([file] if file else ["block", "dataflow"])]
