// The vendor's own grid barrier on AMD, made right, and what those of fermata ask of the target.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/backend/runtime.hpp>
#include <fermata/detail/deadline_report.hpp>

// Of ROCm's device library; what cooperative_groups::grid_group::sync() calls.
extern "C" FERMATA_DEVICE __attribute__((convergent)) void __ockl_grid_sync(void);

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The device library is bitcode, compiled with the user's code, so the wait that clang up to 22 leaves out of a release
// (see fence.hpp) is missing in it, too; and the library of ROCm 5 has no acquire behind its barrier at all. Hence
// every wave drains, the thread that will speak for the block (the library takes thread 0) releases, the vendor's
// barrier does the waiting, thread 0 acquires, and the block barrier hands that on to the others.
FERMATA_DEVICE inline void cooperative_grid_sync() noexcept {
  bool const leader = block_thread_rank() == 0;
  block_sync();
  if (leader) release_fence<thread_scope::device>();
  __ockl_grid_sync();
  if (leader) acquire_fence<thread_scope::device>();
  block_sync();
}

// The parts of the device that have an L2 cache of their own: gfx942 and gfx950 have up to eight XCDs, and tell on
// which one a wave runs (hardware register 20, XCC_ID). A number beyond those would share a chiplet with another, which
// is slower and not wrong. Other targets have one. The constant is the same for all of them, because the CPU decides
// about memory without knowing the target's instructions.
inline constexpr unsigned chiplets = 8;
FERMATA_DEVICE inline unsigned chiplet() noexcept {
#if defined(__gfx942__) || defined(__gfx950__)
  constexpr int xcc_id = 20, offset = 0, bits = 4;
  return __builtin_amdgcn_s_getreg(xcc_id | offset << 6 | (bits - 1) << 11) % chiplets;
#else
  return 0;
#endif
}

// A block has at least one wave, and no multiprocessor holds more (gfx9: at most 40 a compute unit; gfx10 and later: 64
// a pair of them, which HIP may count as one).
inline constexpr unsigned most_blocks_a_multiprocessor = 64;

// At least as many blocks as can be resident.
inline unsigned most_resident_blocks(device_info const& info) noexcept {
  return most_blocks_a_multiprocessor * info.multiprocessors;
}

// Ends the kernel; the report is where the CPU finds it. Not tried on a device (see check.hpp).
FERMATA_DEVICE inline void fail_deadline(detail::deadline_report const*) noexcept { __builtin_trap(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
