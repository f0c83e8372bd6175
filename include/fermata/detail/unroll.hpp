// A loop that is certain to be unrolled, on every compiler: arrays indexed by it stay in registers.
#pragma once

#include <utility>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

template <class F, unsigned... I>
FERMATA_DEVICE void unroll(F& f, std::integer_sequence<unsigned, I...>) noexcept {
  (f(I), ...);
}

// Calls f(0u), …, f(Count - 1).
template <unsigned Count, class F>
FERMATA_DEVICE void unroll(F f) noexcept {
  unroll(f, std::make_integer_sequence<unsigned, Count>{});
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
