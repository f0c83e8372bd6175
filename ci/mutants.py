"""What ci/mutate breaks: the places in the library where one token makes a mutant, and the tests that know a place best."""
import collections
import fnmatch
import hashlib
import pathlib
import re

# What is changed, and into what: (class, pattern, replacement). Patterns meet code alone, no comment and no message.
RULES = [
    ("drop-release", r"detail::releases\((\w+)\)", r"false"),
    ("drop-release", r"memory_order_release\b", "memory_order_relaxed"),
    ("drop-release", r"memory_order_acq_rel\b", "memory_order_acquire"),
    ("drop-release", r"\.release\b", ".relaxed"),
    ("drop-release", r"\.acq_rel\.(?=cta|gpu|sys|cluster|\" )", ".acquire."),
    ("drop-acquire", r"detail::acquires\((\w+)\)", r"false"),
    ("drop-acquire", r"memory_order_acquire\b", "memory_order_relaxed"),
    ("drop-acquire", r"memory_order_acq_rel\b", "memory_order_release"),
    ("drop-acquire", r"\.acquire\b", ".relaxed"),
    ("narrow-scope", r"\"agent\"", "\"workgroup\""),
    ("narrow-scope", r"\"workgroup\"", "\"wavefront\""),
    ("narrow-scope", r"(?<=, )\"\"(?=\))", "\"agent\""),
    ("narrow-scope", r"_SCOPE_AGENT\b", "_SCOPE_WORKGROUP"),
    ("narrow-scope", r"_SCOPE_SYSTEM\b", "_SCOPE_AGENT"),
    ("narrow-scope", r"\.gpu\b", ".cta"),
    ("narrow-scope", r"\.sys\b", ".gpu"),
    ("narrow-scope", r"\.cluster\b(?=[;.])", ".cta"),
    ("narrow-scope", r"return ::cuda::thread_scope_device", "return ::cuda::thread_scope_block"),
    ("narrow-scope", r"return ::cuda::thread_scope_system", "return ::cuda::thread_scope_device"),
    ("narrow-scope", r"(?<=<)thread_scope::device\b", "thread_scope::block"),
    ("narrow-scope", r"thread_scope_device\b(?=>)", "thread_scope_block"),
    ("drop-fence", r"\b(release|acquire)_fence<[^;{}]*>\(\);", ";"),
    ("drop-fence", r"\bdrain_(vector_memory|for_block)\(\);", ";"),
    ("drop-fence", r"\b__builtin_amdgcn_(fence|s_waitcnt|wave_barrier)\([^;]*\);", ";"),
    ("drop-fence", r"asm volatile\(\"fence[^;]*;\" ::: \"memory\"\);", ";"),
    ("drop-fence", r"(?:\b\w+(?:\(\))?(?:\.|::))*\b(block_sync|wave_sync|sync)\(\);", ";"),
    ("flip-compare", r" < ", " <= "),
    ("flip-compare", r" <= ", " < "),
    ("flip-compare", r" > ", " >= "),
    ("flip-compare", r" >= ", " > "),
    ("flip-compare", r" == ", " != "),
    ("flip-compare", r" != ", " == "),
    ("off-by-one", r" - 1\b(?!\.)", ""),
    ("off-by-one", r" \+ 1\b(?!\.)", ""),
    ("off-by-one", r"\b1u? << ", "2 << "),
    ("wrong-width", r"\b32\b", "16"),
    ("wrong-width", r"\b64\b", "32"),
    ("wrong-width", r"\b31\b", "15"),
    ("wrong-width", r"\b63\b", "31"),
    ("wrong-width", r"sizeof\(lane_word\) \* 8", "sizeof(lane_word) * 4"),
    ("wrong-width", r"(?:\b\w+::)*\bwave_size\(\)(?! noexcept)", "16u"),
]
CLASSES = list(dict.fromkeys(rule[0] for rule in RULES))
# What of these a CPU shows only where the host backend itself reads an order or a scope.
ORDERS_AND_SCOPES = ("drop-release", "drop-acquire", "narrow-scope")

# What is mutated. The host's executor is what the tests run on; its own tests are in tests/host.
SUBJECTS = ["include/fermata/*.hpp", "include/fermata/detail/*.hpp", "include/fermata/detail/generic/*.hpp",
            "include/fermata/detail/grid_barrier/*.hpp", "include/fermata/detail/exchange/*.hpp",
            "backends/cuda/include/fermata/backend/*.hpp", "backends/hip/include/fermata/backend/*.hpp",
            "backends/host/include/fermata/backend/*.hpp", "backends/host/src/*.cpp"]
# The host halves of the GPU backends do not run here; the checks of arguments and messages are no synchronisation.
NOT_SUBJECTS = ["*/runtime.hpp", "*/vendor.hpp", "*/buffer.hpp", "*/launch.hpp", "*/stream.hpp", "*/device.hpp", "*/error.hpp",
                "*/graph.hpp", "*/version.hpp", "*/host_atomic.hpp", "*/memory_kind.hpp", "*/native.hpp", "*/clock.hpp",
                "*/report.cpp", "*/recording.cpp", "*/settings.cpp", "*/runtime.cpp", "*/stream.cpp", "*/stack.cpp", "*/place.cpp"]

# `source` is a digest of the file's text: what was found out about a mutant holds as long as that is the same.
Mutant = collections.namedtuple("Mutant", "kind path line column before after text source")


def digest_of(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def code_of(line):
    """The line with comments and static_assert messages blanked; strings of asm stay."""
    line = re.sub(r"//.*", lambda m: " " * len(m[0]), line)
    if re.match(r'\s*("|static_assert|#|using |template|namespace|case )', line) and "asm" not in line:
        # A case of a switch that returns a scope or an order is code, though.
        return line if re.match(r"\s*case .*return", line) else " " * len(line)
    return line


def mutants_of(root, path):
    whole = (root / path).read_text()
    source = digest_of(whole)
    for number, line in enumerate(whole.splitlines()):
        code = code_of(line)
        for kind, pattern, replacement in RULES:
            for match in re.finditer(pattern, code):
                # In `case a: return b`, only what is returned may change.
                if "case " in code and match.start() < code.find("return"):
                    continue
                # A qualifier of an instruction stands in a string; elsewhere it is a member's name.
                if match[0].startswith(".") and '"' not in code:
                    continue
                yield Mutant(kind, path, number, match.start(), match[0], match.expand(replacement), line.strip(), source)


def all_mutants(root):
    paths = sorted({str(p.relative_to(root)) for pattern in SUBJECTS for p in root.glob(pattern)})
    return [m for path in paths if not any(fnmatch.fnmatch(path, no) for no in NOT_SUBJECTS) for m in mutants_of(root, path)]


def in_turn(mutants, seed, limit):
    """The mutants in an order that only the seed and their own text decide, a class after the other: the first few of each
    class are the same whatever the limit is, and stay the same while other code changes."""
    by_class = {kind: sorted((m for m in mutants if m.kind == kind), key=lambda m: digest_of(str(seed), *map(str, m[1:7])))[:limit]
                for kind in CLASSES}
    most = max((len(some) for some in by_class.values()), default=0)
    return [by_class[kind][i] for i in range(most) for kind in CLASSES if i < len(by_class[kind])]


def apply(mutant, text):
    lines = text.splitlines(keepends=True)
    line = lines[mutant.line]
    lines[mutant.line] = line[:mutant.column] + mutant.after + line[mutant.column + len(mutant.before):]
    return "".join(lines)


def owner_of(path):
    return next((b for b in ("cuda", "hip", "host") if path.startswith(f"backends/{b}/")), "include")


TOPICS = {
    "aggregate": ["aggregate"], "atomic": ["atomic_*", "fence"], "atomic_op": ["atomic_*"], "barriers": ["barrier", "latch", "semaphore"],
    "barrier_group": ["grid_barrier*"], "block": ["block*", "cluster"], "block_split": ["block*"],
    "collectives": ["wave*", "tile*", "lane_group*", "group*"],
    "completion": ["barrier"], "contention": ["aggregate", "histogram"], "dim3": ["launch", "grid"], "fence": ["fence", "grid_barrier*"],
    "flagged": ["flagged", "exchange"], "functional": ["wave*", "tile*"], "grid": ["grid", "grid_barrier*"],
    "histogram": ["histogram", "reduce"], "half": ["atomic_half", "sentinel_half"], "kernel": ["launch"], "lane_mask": ["lane_mask", "wave*", "lane_group*"],
    "lanes": ["wave*", "tile*", "lane_group*", "group*"], "launch": ["launch", "grid*", "cluster"],
    "ranks": ["lane_group", "aggregate", "wave_generic"],
    "reduce": ["block_reduce", "reduce"], "rows": ["wave*", "tile*"], "scan": ["wave*", "wide_tile", "block_reduce"], "scope": ["atomic_*", "fence"],
    "spin": ["grid_barrier*", "sentinel", "exchange"], "subword": ["atomic_*"], "task_graph": ["task_event"], "unroll": ["exchange"],
    "waiting": ["sentinel", "grid_barrier*", "barrier"], "wave": ["wave*", "tile*", "lane_group*"], "wide_tile": ["wide_tile", "tile"],
    "word": ["atomic_*", "sentinel"], "words": ["wave*", "tile*", "lane_group*"], "words4": ["exchange"],
    "wrap_atomic": ["atomic_rmw_wrap"]}


def topics_of(path):
    """The tests that use a file most, by its name: patterns of file names without .cpp."""
    folder = pathlib.Path(path).parent.name
    if folder in ("grid_barrier", "exchange"):
        return [folder + "*"]
    stem = pathlib.Path(path).stem
    return TOPICS.get(stem, [stem + "*"])
