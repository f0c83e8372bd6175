// What the collectives of all groups share: what may travel between lanes, and the exclusive scans.
#pragma once

#include <type_traits>

#include <fermata/detail/config.hpp>
#include <fermata/functional.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

template <class T>
FERMATA_DEVICE constexpr void require_travelling() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "fermata::wave: a value that travels between lanes must be "
                "trivially copyable on every backend. Send its members.");
}

template <class Group, class T, class Op>
FERMATA_DEVICE T exclusive_scan(Group const& group, T value, Op op, T init) noexcept {
  T const before = group.shfl_up(group.inclusive_scan(value, op), 1);
  return group.thread_rank() == 0 ? init : op(init, before);
}

// Integers wrap around, so that the caller's own value can be taken off again.
template <class Group, class T>
FERMATA_DEVICE T exclusive_sum(Group const& group, T value) noexcept {
  T const inclusive = group.inclusive_scan(value, plus{});
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<bits>(inclusive) - static_cast<bits>(value));
  } else {
    T const before = group.shfl_up(inclusive, 1);
    return group.thread_rank() == 0 ? T{} : before;
  }
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
