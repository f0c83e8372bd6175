"""The compilers behind the tests of instructions: how they are found, and called for a target.

Used by tests/codegen/run, tests/identity/run, tests/native/run and ci/amd-objects.
"""
import os
import pathlib
import shutil
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
AMD_TARGETS = ["gfx90a", "gfx942", "gfx1100"]


def find_tool(variable, *names):
    """The tool that the variable names, else the first of the names that is on PATH."""
    if os.environ.get(variable):
        return shutil.which(os.environ[variable])
    return next((path for path in map(shutil.which, names) if path), None)


class MissingTool(Exception):
    pass


def sass_kernels(cubin):
    """The 16-byte instructions of each kernel of an ELF file: no disassembler is needed to tell whether they are equal."""
    sections_at, = struct.unpack_from("<Q", cubin, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, sections_at + i * entry_size) for i in range(count)]
    names_at = headers[names_index][4]
    kernels = {}
    for name_offset, _, _, _, offset, size in headers:
        start = names_at + name_offset
        name = cubin[start:cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            kernels[name.removeprefix(".text.")] = [cubin[i:i + 16].hex() for i in range(offset, offset + size, 16)]
    return kernels


class Tools:
    def __init__(self, scratch):
        self.scratch = scratch
        self.nvcc = find_tool("NVCC", "nvcc", "/usr/local/cuda/bin/nvcc")
        self.clang = find_tool("FERMATA_CLANG", "clang++-19", "amdclang++", "/opt/rocm/llvm/bin/clang++")
        self.file_check = find_tool("FILECHECK", "FileCheck-19", "FileCheck-14", "FileCheck")
        self.bitcode = None

    def compile_command(self, target, source, output):
        includes = [f"-I{ROOT}/include", f"-I{ROOT}/backends/{'cuda' if target.startswith('sm') else 'hip'}/include"]
        if target.startswith("sm"):
            if not self.nvcc:
                raise MissingTool("nvcc (CUDA Toolkit)")
            return [self.nvcc, "-std=c++20", f"-arch=sm_{target[2:]}", "-x", "cu", "-ptx", *includes, source, "-o", output]
        if not self.clang:
            raise MissingTool("clang++-19 (Debian package clang-19)")
        arch = "gfx942" if target == "ir" else target
        text = ["-emit-llvm", "-S"] if target == "ir" else ["-S"]
        return [self.clang, "-std=c++20", "-O3", "-x", "hip", "--offload-device-only", f"--offload-arch={arch}",
                *self.device_library(), *text, *includes, source, "-o", output]

    def device_library(self):
        """Debian's device library lacks some architectures; a full ROCm is found by its own compiler."""
        candidates = sorted(pathlib.Path("/usr/lib").glob("*/amdgcn/bitcode/ocml.bc"))
        if pathlib.Path(self.clang).resolve().is_relative_to("/opt") or not candidates:
            if not shutil.which("hipcc") and not pathlib.Path("/opt/rocm").exists():
                raise MissingTool("HIP's device library (Debian packages libamdhip64-dev, rocm-device-libs)")
            return []
        if not self.bitcode:
            self.bitcode = self.scratch / "bitcode"
            made = subprocess.run([ROOT / "ci/hip-bitcode", "--from", candidates[0].parent, "--into", self.bitcode,
                                   *AMD_TARGETS], capture_output=True, text=True)
            if made.returncode != 0:
                raise MissingTool(made.stderr.strip())
        return ["--rocm-path=/usr", f"--rocm-device-lib-path={self.bitcode}"]
