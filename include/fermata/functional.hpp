// The operations of reductions, callable in device code (std::plus is a host function to nvcc).
#pragma once

#include <type_traits>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Integers wrap around, as they do in the atomics; signed overflow would be undefined.
struct plus {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else
      return static_cast<T>(a + b);
  }
};
struct minimum {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return b < a ? b : a; }
};
struct maximum {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return a < b ? b : a; }
};
struct bit_and {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a & b); }
};
struct bit_or {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a | b); }
};
struct bit_xor {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a ^ b); }
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
