// CUDA: the wrapping counters as PTX; libcu++ has none, and CUDA's atomicInc takes no order and no scope. The sequences
// are those of libcu++'s other operations: seq_cst is fence.sc and the acquire form; thread scope takes the block's.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>

#include <fermata/backend/fence.hpp>
#include <fermata/backend/ptx_text.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_inc_wrap(unsigned* p, unsigned limit) noexcept {
  if constexpr (O == std::memory_order_seq_cst) atomic_thread_fence<S, O>();
  unsigned old;
  asm volatile("atom.inc%3%4.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(p), "r"(limit), "C"(ptx_order<O>::text), "C"(ptx_scope<S>::text)
               : "memory");
  return old;
}

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_dec_wrap(unsigned* p, unsigned limit) noexcept {
  if constexpr (O == std::memory_order_seq_cst) atomic_thread_fence<S, O>();
  unsigned old;
  asm volatile("atom.dec%3%4.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(p), "r"(limit), "C"(ptx_order<O>::text), "C"(ptx_scope<S>::text)
               : "memory");
  return old;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
