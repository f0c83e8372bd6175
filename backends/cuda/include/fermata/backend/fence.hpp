// CUDA: fences as PTX. libcu++ 13.0 has no cluster scope, and nvcc's __nv_atomic_thread_fence turns a release into
// fence.sc.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE void atomic_thread_fence() noexcept {
  static_assert(O != std::memory_order_relaxed);
  constexpr bool sc = O == std::memory_order_seq_cst;
  if constexpr (S == thread_scope::thread) {
    // A thread sees its own accesses in order; only the compiler must be held back.
    asm volatile("" ::: "memory");
  } else if constexpr (S == thread_scope::wave || S == thread_scope::block) {
    if constexpr (sc) asm volatile("fence.sc.cta;" ::: "memory");
    else asm volatile("fence.acq_rel.cta;" ::: "memory");
  } else if constexpr (S == thread_scope::cluster) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    atomic_thread_fence<thread_scope::device, O>();
#else
    if constexpr (sc) asm volatile("fence.sc.cluster;" ::: "memory");
    else asm volatile("fence.acq_rel.cluster;" ::: "memory");
#endif
  } else if constexpr (S == thread_scope::device) {
    if constexpr (sc) asm volatile("fence.sc.gpu;" ::: "memory");
    else asm volatile("fence.acq_rel.gpu;" ::: "memory");
  } else {
    if constexpr (sc) asm volatile("fence.sc.sys;" ::: "memory");
    else asm volatile("fence.acq_rel.sys;" ::: "memory");
  }
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
