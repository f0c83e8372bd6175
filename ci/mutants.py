"""What ci/mutate breaks: the places in the library where one token makes a mutant, and the tests that know a place best."""
import collections
import fnmatch
import hashlib
import pathlib
import re



def last_bit_flipped(match):
    """Of a hexadecimal constant: in a mask a lane more or less, in a field of an instruction its neighbour."""
    digits = match[1]
    flipped = f"{int(digits, 16) ^ 1:0{len(digits)}x}"
    return f"0x{flipped.upper() if digits.isupper() else flipped}{match[2] or ''}"


def one_less(match):
    return re.sub(r"\d+", lambda number: str(int(number[0]) - 1), match[0], count=1)


def one_more(match):
    return re.sub(r"\d+", lambda number: str(int(number[0]) + 1), match[0], count=1)


def other_of_two(match):
    """Lane or rank 1 where 0 is meant, and the other way round."""
    return match[0][:-1] + str(1 - int(match[0][-1]))


# What is changed, and into what: (class, pattern, replacement). Patterns meet code alone, no comment and no message.
RULES = [
    ("drop-release", r"detail::releases\((\w+)\)", r"false"),
    ("drop-release", r"memory_order_release\b", "memory_order_relaxed"),
    ("drop-release", r"memory_order_acq_rel\b", "memory_order_acquire"),
    ("drop-release", r"\.release\b", ".relaxed"),
    ("drop-release", r"\.acq_rel(?=\.(?:cta|gpu|sys|cluster)|\")", ".acquire"),
    ("drop-release", r"return __NV_ATOMIC_RELEASE\b", "return __NV_ATOMIC_RELAXED"),
    ("drop-release", r"return __NV_ATOMIC_ACQ_REL\b", "return __NV_ATOMIC_ACQUIRE"),
    ("drop-acquire", r"detail::acquires\((\w+)\)", r"false"),
    ("drop-acquire", r"memory_order_acquire\b", "memory_order_relaxed"),
    ("drop-acquire", r"memory_order_acq_rel\b", "memory_order_release"),
    ("drop-acquire", r"\.acquire\b", ".relaxed"),
    ("drop-acquire", r"\.acq_rel(?=\.(?:cta|gpu|sys|cluster)|\")", ".release"),
    ("drop-acquire", r"return __NV_ATOMIC_ACQUIRE\b", "return __NV_ATOMIC_RELAXED"),
    ("drop-acquire", r"return __NV_ATOMIC_ACQ_REL\b", "return __NV_ATOMIC_RELEASE"),
    ("narrow-scope", r"\"agent\"", "\"workgroup\""),
    ("narrow-scope", r"\"workgroup\"", "\"wavefront\""),
    ("narrow-scope", r"(?<=, )\"\"(?=\))", "\"agent\""),
    ("narrow-scope", r"\b__HIP_MEMORY_SCOPE_WORKGROUP\b", "__HIP_MEMORY_SCOPE_WAVEFRONT"),
    ("narrow-scope", r"\b__HIP_MEMORY_SCOPE_AGENT\b", "__HIP_MEMORY_SCOPE_WORKGROUP"),
    ("narrow-scope", r"\b__HIP_MEMORY_SCOPE_SYSTEM\b", "__HIP_MEMORY_SCOPE_AGENT"),
    ("narrow-scope", r"return ::cuda::thread_scope_block", "return ::cuda::thread_scope_thread"),
    ("narrow-scope", r"\b__NV_THREAD_SCOPE_CLUSTER\b", "__NV_THREAD_SCOPE_BLOCK"),
    ("narrow-scope", r"return __NV_THREAD_SCOPE_DEVICE\b", "return __NV_THREAD_SCOPE_CLUSTER"),
    ("narrow-scope", r"return __NV_THREAD_SCOPE_SYSTEM\b", "return __NV_THREAD_SCOPE_DEVICE"),
    ("narrow-scope", r"\.gpu\b", ".cta"),
    ("narrow-scope", r"\.sys\b", ".gpu"),
    ("narrow-scope", r"\.cluster\b(?=[;.])", ".cta"),
    ("narrow-scope", r"return ::cuda::thread_scope_device", "return ::cuda::thread_scope_block"),
    ("narrow-scope", r"return ::cuda::thread_scope_system", "return ::cuda::thread_scope_device"),
    ("narrow-scope", r"(?<=<)thread_scope::device\b", "thread_scope::block"),
    ("narrow-scope", r"thread_scope_device\b(?=>)", "thread_scope_block"),
    ("drop-fence", r"\b(release_|acquire_|atomic_thread_)fence<[^;{}]*>\(\);", ";"),
    ("drop-fence", r"\bdrain_(vector_memory|for_block)\(\);", ";"),
    ("drop-fence", r"\b__builtin_amdgcn_(fence|s_waitcnt|wave_barrier|s_barrier)\([^;]*\);", ";"),
    ("drop-fence", r"asm volatile\(\"(?:fence|barrier\.cluster)[^;]*;\" ::: \"memory\"\);", ";"),
    # What the order seq_cst has more than acq_rel, in a fence or a load, is a fence.
    ("drop-fence", r"(?<=\"fence\.)sc\b", "acq_rel"),
    ("drop-fence", r"\b__ATOMIC_SEQ_CST\b", "__ATOMIC_ACQUIRE"),
    ("drop-fence", r"\b__syncthreads\(\);|\b__syncwarp\(\w+\);", ";"),
    ("drop-fence", r"\b(?:\w+::)*cluster_(arrive|wait)\(\);", ";"),
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
    # Masks, and the fields of instructions.
    ("off-by-one", r"\b0x([0-9A-Fa-f]+)(u?)\b", last_bit_flipped),
    ("off-by-one", r"~0u\b", "~1u"),
    ("off-by-one", r"~lane_word\{0\}", "~lane_word{1}"),
    ("off-by-one", r"~31u\b", "~32u"),
    ("off-by-one", r"(?<=& )3u\b", "2u"),
    ("off-by-one", r"(?<=0xF, )true(?=\))", "false"),
    ("off-by-one", r"(?<=, )0u(?=\))", "1u"),
    # Lanes, and how many there are.
    ("off-by-one", r"\blane ([-+]) (delta|step)\b", r"lane \1 \2 \1 1"),
    ("off-by-one", r"\blane(?:_id\(\))? % \w+\b", r"(\g<0> + 1)"),
    ("off-by-one", r"\b(?:\w+::)*highest_bit\(\w+\)", r"(\g<0> - 1)"),
    ("off-by-one", r"\b(?:\w+::)*lowest_bit\(\w+\)", r"(\g<0> + 1)"),
    ("off-by-one", r"\b(?:\w+::)*count_bits\(\w+(?:\(\w+\))?\)", r"(\g<0> - 1)"),
    ("off-by-one", r"\b(?:31|32|63|64)u?(?= - )", one_less),
    ("off-by-one", r"(?<=, )63(?=\))", one_less),
    ("off-by-one", r"\[32\]", one_less),
    ("off-by-one", r"\b\w*(?:lane|rank|count)\w*(?:\(\))? == [01]\b", other_of_two),
    ("off-by-one", r"\bunsigned (\w+) = 0(?=; \1 <)", r"unsigned \1 = 1"),
    ("off-by-one", r"\bunsigned step = 1\b", "unsigned step = 2"),
    ("off-by-one", r"(?<=%1, )1(?=;)", "2"),
    # From lanes and bytes to bytes and bits.
    ("off-by-one", r" \* [48]\b", one_less),
    ("off-by-one", r" (?:<<|>>) (?:8|16|24|32)\b", one_more),
    ("off-by-one", r" \+ 3\b", one_less),
    ("wrong-width", r"\b32\b", "16"),
    ("wrong-width", r"\b64\b", "32"),
    ("wrong-width", r"\b31\b", "15"),
    ("wrong-width", r"\b63\b", "31"),
    ("wrong-width", r"(?<=row_butterfly<)16\b", "8"),
    ("wrong-width", r"(?<=, )16u(?=\))", "8u"),
    ("wrong-width", r"(?<=& )16(?=\))|(?<=<= )16(?=\))", "8"),
    ("wrong-width", r"(?<=static_cast<int>\()(N|Size)(?=\))", r"2 * \1"),
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


def replaced(match, replacement):
    return replacement(match) if callable(replacement) else match.expand(replacement)


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
                yield Mutant(kind, path, number, match.start(), match[0], replaced(match, replacement), line.strip(), source)


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
    "aggregate": ["aggregate"], "atomic": ["atomic_*", "fence"], "atomic_op": ["atomic_*"], "barrier": ["barrier*", "before_sm90"],
    "barriers": ["barrier", "latch", "semaphore"],
    "barrier_group": ["grid_barrier*"], "block": ["block*", "cluster"], "block_split": ["block*"],
    "builtin_atomic": ["atomic_*"], "check": ["assertions"],
    "collectives": ["wave*", "tile*", "lane_group*", "group*"],
    "completion": ["barrier"], "contention": ["aggregate", "histogram"], "dim3": ["launch", "grid"],
    "fence": ["fence", "grid_barrier*", "atomic_cluster", "before_sm90"],
    "flagged": ["flagged", "exchange"], "functional": ["wave*", "tile*"], "grid": ["grid", "grid_barrier*"],
    "histogram": ["histogram", "reduce"], "half": ["atomic_half", "sentinel_half", "half"], "kernel": ["launch", "block"],
    "lane_mask": ["lane_mask", "wave*", "lane_group*"],
    "lanes": ["wave*", "tile*", "lane_group*", "group*"], "launch": ["launch", "grid*", "cluster"],
    "ptx_text": ["atomic_*", "half", "before_sm90"], "ranks": ["lane_group", "aggregate", "wave_generic"],
    "reduce": ["block_reduce", "reduce"], "rows": ["wave*", "tile*"], "scan": ["wave*", "wide_tile", "block_reduce"], "scope": ["atomic_*", "fence"],
    "spin": ["grid_barrier*", "sentinel", "exchange"], "subword": ["atomic_*"], "task_graph": ["task_event"], "unroll": ["exchange"],
    "waiting": ["sentinel", "grid_barrier*", "barrier"], "wave": ["wave*", "tile*", "lane_group*"], "wide_tile": ["wide_tile", "tile"],
    "word": ["atomic_*", "sentinel"], "words": ["wave*", "tile*", "lane_group*"], "words4": ["exchange"],
    "wrap_atomic": ["atomic_rmw_wrap", "atomic_wrap"]}


def topics_of(path):
    """The tests that use a file most, by its name: patterns of file names without .cpp."""
    folder = pathlib.Path(path).parent.name
    if folder in ("grid_barrier", "exchange"):
        return [folder + "*"]
    stem = pathlib.Path(path).stem
    return TOPICS.get(stem, [stem + "*"])
