# shellcheck shell=bash disable=SC2034
# Shared by the scripts in ci/. To be sourced by bash.
#
# A check says PASS, FAIL or SKIP on a line of its own, and ci/test counts these lines:
#
#   PASS what
#   FAIL what: how it differs
#   SKIP what: why

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
passed=0
failed=0
skipped=0
failures=()
skips=()

say() { printf '%s\n' "$*"; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# A heading, with the seconds since the script began.
step() { printf '\n== %s  (%d s)\n' "$*" "$SECONDS"; }

pass() {
  passed=$((passed + 1))
  say "PASS $1"
}

fail() {
  failed=$((failed + 1))
  failures+=("$1")
  say "FAIL $1"
}

skip() {
  skipped=$((skipped + 1))
  skips+=("$1")
  say "SKIP $1"
}

# In CI a missing compiler or tool hides what the project promises to check, so it is a failure there.
missing() {
  if [[ ${CI:-} == true ]]; then fail "$1"; else skip "$1"; fi
}

# Runs one command as one check: `check name command…`. Its output is shown.
check() {
  local name=$1 status=0
  shift
  "$@" || status=$?
  if ((status == 0)); then pass "$name"; else fail "$name: exit status $status of $*"; fi
  return "$status"
}

# Runs a command that itself prints PASS, FAIL and SKIP lines, and adds them to the counts. A command that fails
# without a FAIL line, or that reports nothing at all, counts as one failure.
collect() {
  local name=$1 status=0 log before line
  shift
  log=$(mktemp)
  before=$((passed + failed + skipped))
  local failed_before=$failed
  "$@" 2>&1 | tee "$log" || status=$?
  while IFS= read -r line; do
    case $line in
      'PASS '*) passed=$((passed + 1)) ;;
      'FAIL '*) failed=$((failed + 1)) failures+=("$name: ${line#FAIL }") ;;
      'SKIP '*) skipped=$((skipped + 1)) skips+=("$name: ${line#SKIP }") ;;
    esac
  done <"$log"
  rm -f "$log"
  if ((status != 0 && failed == failed_before)); then fail "$name: exit status $status of $*"; fi
  if ((passed + failed + skipped == before)); then fail "$name: no check was reported by $*"; fi
  ((status == 0))
}

# What was skipped and what failed, then the counts alone on the last line.
summary() {
  local line
  if ((${#skips[@]})); then
    step 'Skipped'
    for line in "${skips[@]}"; do say "  $line"; done
  fi
  if ((${#failures[@]})); then
    step 'Failed'
    for line in "${failures[@]}"; do say "  $line"; done
  fi
  say ''
  say "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0 && passed > 0))
}

# --- what this machine has -------------------------------------------------------------------------------------

# nvcc may be installed without being on PATH.
find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    if [[ -n $candidate && -x $candidate ]]; then
      say "$candidate"
      return 0
    fi
  done
  return 1
}

have_nvcc() { find_nvcc >/dev/null; }

# Where the toolkit's headers are. An nvcc on PATH may be a script that calls the real one, so nvcc is asked.
cuda_include() {
  local line
  line=$("$(find_nvcc)" --dryrun -x cu -c /dev/null -o /dev/null 2>&1 | grep -m 1 '^#\$ INCLUDES=')
  line=${line#*-I}
  say "${line%%\"*}"
}

have_cuda_device() {
  # A machine without the driver has no such node; nvidia-smi may be absent in a container that has the device.
  compgen -G '/dev/nvidia[0-9]*' >/dev/null && [[ -e /dev/nvidiactl ]]
}

# Either a ROCm installation or Debian's clang-19 with its HIP packages.
have_hip_compiler() {
  have_rocm || { command -v clang++-19 >/dev/null && [[ -e /usr/include/hip/hip_runtime.h ]]; }
}

rocm_compiler() {
  local candidate
  for candidate in bin/amdclang++ llvm/bin/clang++ bin/hipcc; do
    candidate=${ROCM_PATH:-/opt/rocm}/$candidate
    if [[ -x $candidate ]]; then
      say "$candidate"
      return 0
    fi
  done
  return 1
}

have_rocm() { rocm_compiler >/dev/null; }

have_hip_device() {
  local node
  [[ -e /dev/kfd ]] || return 1
  # CPUs are nodes of this topology, too; their gpu_id is 0.
  for node in /sys/class/kfd/kfd/topology/nodes/*/gpu_id; do
    [[ -r $node && $(<"$node") != 0 ]] && return 0
  done
  return 1
}

have_file_check() { command -v FileCheck-19 >/dev/null || command -v FileCheck >/dev/null; }

# Puts a found nvcc on PATH, so that CMake and the test scripts see the same one.
use_nvcc() {
  local nvcc
  if nvcc=$(find_nvcc); then PATH=$(dirname "$nvcc"):$PATH; fi
}

# Takes the libraries of a folder made by `ci/bootstrap --pack`.
use_offline() {
  [[ -r $1/env.sh ]] || die "$1 has no env.sh. Make the folder with: ci/bootstrap --pack $1"
  # shellcheck disable=SC1091
  . "$1/env.sh"
}
