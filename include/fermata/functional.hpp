// The operations of reductions, callable in device code (std::plus is a host function to nvcc).
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

struct plus {
  template <class T>
  FERMATA_FN constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a + b); }
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
