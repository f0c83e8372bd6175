// Host: the 16-bit floats as bits. They are moved and compared; there is no arithmetic.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>
#include <cstdint>

#include <fermata/detail/atomic_op.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

struct half {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

namespace detail {

template <class T>
struct opaque_half {
  template <thread_scope S, std::memory_order O>
  static T fetch_add(T*, T value) noexcept {
    static_assert(sizeof(T) == 0,
                  "fermata::atomic_ref::fetch_add: the host backend has no arithmetic of 16-bit floats. "
                  "Use float there, or leave the kernel out of host builds.");
    return value;
  }
};

template <>
struct half_operations<half> : opaque_half<half> {
  static constexpr type_class type = type_class::half;
  static constexpr std::uint16_t infinity = 0x7C00;
};
template <>
struct half_operations<bfloat16> : opaque_half<bfloat16> {
  static constexpr type_class type = type_class::bfloat16;
  static constexpr std::uint16_t infinity = 0x7F80;
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
