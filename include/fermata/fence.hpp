// Standalone fences.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/fence.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Orders the calling thread's memory accesses around the fence as the C++ standard says for
// std::atomic_thread_fence, among the threads inside `scope`. Both the order and the scope are honoured
// on every backend; a relaxed fence is nothing.
//
// Emits  CUDA: fence.acq_rel.<scope> or fence.sc.<scope>.
//        HIP:  a release is write-back, hard vmcnt(0) wait; an acquire is invalidate; acq_rel and seq_cst
//              are write-back, wait, invalidate, in that order. (clang 19..22 drop the wait after
//              buffer_wbl2 on gfx942; fermata emits it itself.)
// Cost   On an H200 about 9 cycles at block, 270 at device and 1,000 at system scope with nothing
//        outstanding; a release also waits for the thread's stores. On gfx942 a device-scope release walks
//        the L2: let one leader per block do it.
template <std::memory_order O, thread_scope S>
FERMATA_DEVICE inline void atomic_thread_fence(memory_order_tag<O>, thread_scope_tag<S>) noexcept {
  if constexpr (O != std::memory_order_relaxed) backend::atomic_thread_fence<S, O>();
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
