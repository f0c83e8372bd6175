"""The lint's own test: each violation below is planted in a copy of the tree, and its rule must object to it."""

import contextlib
import io
import pathlib
import tempfile

HIP = "backends/hip/include/fermata/backend"
CUDA = "backends/cuda/include/fermata/backend"

KERNELS = "kernel sources name no backend or vendor"
HEADERS = "shared headers have no condition on the backend"
ASM = "asm is volatile with a memory clobber, or says why not"
VOLATILE = "no volatile and no isnan"
WAVE = "no *_sync and no warpSize for AMD"
HYGIENE = "text hygiene"

# (rule, file, text to append); a missing file is created.
VIOLATIONS = [
    (KERNELS, "bench/planted.cpp", "#include <cuda_runtime.h>\n"),
    (KERNELS, "tests/unit/planted.hpp", "#pragma once\n#if defined(__HIP_PLATFORM_AMD__)\n#endif\n"),
    (KERNELS, "tests/unit/planted.cpp", "// as wide as a warp\n"),
    (KERNELS, "tests/unit/planted.cpp", "int x = __shfl_sync(~0u, 1, 0);\n"),
    (KERNELS, "examples/planted.cpp", "#include <fermata/backend/wave.hpp>\n"),
    (KERNELS, "examples/planted.cpp", "// on gfx942 only\n"),
    (KERNELS, "bench/report.cpp", "FERMATA_KERNEL planted() {}\n"),
    (HEADERS, "include/fermata/wave.hpp", "#if defined(__CUDA_ARCH__)\n#endif\n"),
    (HEADERS, "include/fermata/detail/word.hpp", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    (HEADERS, "include/fermata/atomic.hpp", "#include <cuda/atomic>\n"),
    (ASM, f"{CUDA}/fence.hpp", 'inline void planted() { asm("fence.acq_rel.gpu;" ::: "memory"); }\n'),
    (ASM, f"{CUDA}/fence.hpp", 'inline void planted() { asm volatile("fence.acq_rel.gpu;"); }\n'),
    (ASM, f"{HIP}/fence.hpp", 'inline void planted() {\n  asm volatile("s_waitcnt vmcnt(0)"\n               ::: );\n}\n'),
    (ASM, f"{HIP}/fence.hpp", '// Not volatile:\ninline void planted() { asm("s_nop 0"); }\n'),
    (VOLATILE, "include/fermata/flagged.hpp", "inline int volatile* planted;\n"),
    (VOLATILE, "include/fermata/sentinel.hpp", "inline bool planted(float x) { return std::isnan(x); }\n"),
    (WAVE, f"{HIP}/wave.hpp", "inline int planted() { return __shfl_sync(~0ull, 1, 0); }\n"),
    (WAVE, f"{HIP}/wave.hpp", "inline int planted() { return warpSize; }\n"),
    (WAVE, "include/fermata/detail/gpu/index.hpp", "inline auto planted() { return __activemask(); }\n"),
    ("documented tests exist", "docs/pitfalls.md", '| a thread | a rule | `tests/unit/planted.cpp` |\n'),
    ("documented tests exist", "docs/pitfalls.md", '| a thread | a rule | `tests/unit/wave_vote.cpp` "a test that was renamed" |\n'),
    ("documented tests exist", "docs/pitfalls.md", "| a thread | a rule | nothing yet |\n"),
    ("files have at most 600 lines", "include/fermata/buffer.hpp", "//\n" * 600),
    ("files have at most 600 lines", "cmake/Planted.cmake", "#\n" * 601),
    ("lines have at most 120 columns", "include/fermata/buffer.hpp", "// " + "x" * 120 + "\n"),
    ("every header has #pragma once", "include/fermata/planted.hpp", "inline int planted;\n"),
    ("every header has #pragma once", "include/fermata/error.hpp", "#pragma once\n"),
    ("every mention of the version agrees", "README.md", "find_package(fermata 9.9 REQUIRED)\n"),
    ("every mention of the version agrees", "docs/planted.md", "This is fermata 0.0.7.\n"),
    ("every mention of the version agrees", "CHANGELOG.md", "## [9.9.9]\n"),
    ("the backends have the same files", f"{CUDA}/planted.hpp", "#pragma once\n"),
    (HYGIENE, "docs/planted.md", "See /home/someone/fermata.\n"),
    (HYGIENE, "docs/planted.md", "TODO: write this\n"),
    (HYGIENE, "include/fermata/error.hpp", "\tint planted;\n"),
    (HYGIENE, "include/fermata/error.hpp", "// planted \n"),
    (HYGIENE, "docs/planted.md", "no newline"),
]

# What must not be objected to, so that a rule is not merely always red.
HARMLESS = [
    (KERNELS, "tests/unit/planted.cpp", "// a wave, a hippo, an amdahl law, the host side, __syncthreads is not here\n"),
    (HEADERS, "include/fermata/error.hpp", "#if defined(FERMATA_ENABLE_ASSERTIONS)\n#endif\n"),
    (HEADERS, "include/fermata/error.hpp", "// e.g. #if defined(__CUDA_ARCH__) would be wrong here\n"),
    (ASM, f"{CUDA}/fence.hpp", 'inline void planted() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }\n'),
    (ASM, f"{CUDA}/wave.hpp", '// Not volatile: planted, reads no memory.\ninline void planted() { asm("mov.u32 %0, %%laneid;"); }\n'),
    (WAVE, f"{HIP}/wave.hpp", "// __shfl_sync and warpSize are never used.\n"),
    (HYGIENE, "docs/planted.md", "Run build/host/bench/fermata-bench; a ROCm lives in /opt/rocm.\n"),
]


def run(lint, root):
    original = lint.Tree(root)
    ok = True
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name, text in original.texts.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text, encoding="utf-8")
        before = {title: set(rule(lint.Tree(copy))) for title, rule in lint.RULES.items()}

        def complaints_about(title, name, addition):
            path = copy / name
            old = path.read_text(encoding="utf-8") if path.exists() else None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((old or "") + addition, encoding="utf-8")
            found = set(lint.RULES[title](lint.Tree(copy))) - before[title]
            if old is None:
                path.unlink()
            else:
                path.write_text(old, encoding="utf-8")
            return found

        for expected, cases in ((True, VIOLATIONS), (False, HARMLESS)):
            for title, name, addition in cases:
                what = f"{addition.strip().splitlines()[-1][:60]!r} in {name}"
                if bool(complaints_about(title, name, addition)) != expected:
                    print(f"FAIL '{title}' {'misses' if expected else 'objects to'} {what}")
                    ok = False
        ok = kernel_source_lists(lint, copy) and ok
        untested = set(lint.RULES) - {title for title, _, _ in VIOLATIONS}
        for title in sorted(untested):
            print(f"FAIL '{title}' has no planted violation")
            ok = False
    if ok:
        print(f"PASS the lint sees {len(VIOLATIONS)} planted violations and accepts {len(HARMLESS)} harmless texts")
    return ok


def kernel_source_lists(lint, folder):
    first, second = folder / "first", folder / "second"
    for path in (first, second):
        path.mkdir()
        (path / "kernel_sources.txt").write_text("unit tests/unit/atomic.cpp\nbench bench/chain.cpp\n")
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent):
        equal = lint.same_kernel_sources([str(first), str(second)])
        (second / "kernel_sources.txt").write_text("unit tests/unit/atomic.cpp\n")
        different = lint.same_kernel_sources([str(first), str(second)])
        (second / "kernel_sources.txt").unlink()
        missing = lint.same_kernel_sources([str(first), str(second)])
    if not equal or different or missing:
        print("FAIL the comparison of kernel source lists: equal, different or missing lists are told apart wrongly")
    return equal and not different and not missing
