// CUDA: the 16-bit floats. Their sums are PTX, as libcu++ has no atomics for them and CUDA's atomicAdd takes no order.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/backend/ptx_text.hpp>
#include <fermata/detail/atomic_op.hpp>
#include <fermata/detail/generic/atomic.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

using half = ::__half;
using bfloat16 = ::__nv_bfloat16;

namespace detail {

template <>
struct half_operations<half> {
  static constexpr type_class type = type_class::half;
  static constexpr std::uint16_t infinity = 0x7C00;

  template <thread_scope S, std::memory_order O>
  FERMATA_DEVICE static half fetch_add(half* p, half value) noexcept {
    if constexpr (O == std::memory_order_seq_cst) backend::atomic_thread_fence<S, O>();
    std::uint16_t old;
    asm volatile("atom%3%4.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old)
                 : "l"(p), "h"(to_word(value)), "C"(backend::ptx_order<O>::text), "C"(backend::ptx_scope<S>::text)
                 : "memory");
    return from_word<half>(old);
  }
};

template <>
struct half_operations<bfloat16> {
  static constexpr type_class type = type_class::bfloat16;
  static constexpr std::uint16_t infinity = 0x7F80;

  template <thread_scope S, std::memory_order O>
  FERMATA_DEVICE static bfloat16 fetch_add(bfloat16* p, bfloat16 value) noexcept {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    return generic::fetch_update<S, O>(p, [value](bfloat16 old) { return __hadd(old, value); });
#else
    if constexpr (O == std::memory_order_seq_cst) backend::atomic_thread_fence<S, O>();
    std::uint16_t old;
    asm volatile("atom%3%4.add.noftz.bf16 %0, [%1], %2;"
                 : "=h"(old)
                 : "l"(p), "h"(to_word(value)), "C"(backend::ptx_order<O>::text), "C"(backend::ptx_scope<S>::text)
                 : "memory");
    return from_word<bfloat16>(old);
#endif
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
