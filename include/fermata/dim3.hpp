// A size or an index in up to three dimensions.
#pragma once

#include <concepts>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Built from a single number where one dimension is meant: `{blocks, threads}`.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;

  constexpr dim3() = default;
  template <std::integral Integer>
  FERMATA_FN constexpr dim3(Integer x_, unsigned y_ = 1, unsigned z_ = 1) noexcept
      : x(static_cast<unsigned>(x_)), y(y_), z(z_) {}

  // The number of elements: x * y * z. Pre: below 2^32; launches refuse more.
  FERMATA_FN constexpr unsigned count() const noexcept { return x * y * z; }
  FERMATA_FN friend constexpr bool operator==(dim3 const& a, dim3 const& b) noexcept {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
