// The vendor's own grid barrier on AMD, made right.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>
#include <fermata/backend/fence.hpp>

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

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
