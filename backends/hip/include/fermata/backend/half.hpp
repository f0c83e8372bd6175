// AMD: the 16-bit floats. The hardware adds them in pairs alone, so that a sum is a loop.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/detail/atomic_op.hpp>
#include <fermata/detail/generic/atomic.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

using half = ::__half;
using bfloat16 = ::hip_bfloat16;

namespace detail {

template <>
struct half_operations<half> {
  static constexpr type_class type = type_class::half;
  static constexpr std::uint16_t infinity = 0x7C00;

  template <thread_scope S, std::memory_order O>
  FERMATA_DEVICE static half fetch_add(half* p, half value) noexcept {
    return generic::fetch_update<S, O>(p, [value](half old) { return __hadd(old, value); });
  }
};

template <>
struct half_operations<bfloat16> {
  static constexpr type_class type = type_class::bfloat16;
  static constexpr std::uint16_t infinity = 0x7F80;

  // A sum of two such numbers is exact or rounded the same way in float.
  template <thread_scope S, std::memory_order O>
  FERMATA_DEVICE static bfloat16 fetch_add(bfloat16* p, bfloat16 value) noexcept {
    return generic::fetch_update<S, O>(
        p, [value](bfloat16 old) { return bfloat16(static_cast<float>(old) + static_cast<float>(value)); });
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
