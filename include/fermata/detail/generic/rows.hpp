// Wave collectives built from moves inside rows of 16 lanes, which some targets have as part of an instruction, and
// from the few that lead from row to row. Who has them passes them as `moves`; each names the lane that a value comes
// from.
#pragma once

#include <type_traits>

#include <fermata/detail/config.hpp>
#include <fermata/functional.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// What leaves every value of T as it is under Op, for the integers, where the order of a sum makes no difference.
template <class T, class Op>
inline constexpr bool has_identity =
    std::is_integral_v<T> && !std::is_same_v<T, bool> &&
    (std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
     std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>);

template <class T, class Op>
FERMATA_DEVICE constexpr T identity() noexcept {
  static_assert(has_identity<T, Op>);
  // Not from numeric_limits, whose functions nvcc does not call in device code.
  using bits = std::make_unsigned_t<T>;
  constexpr bits ones = static_cast<bits>(~bits{0});
  constexpr T most = static_cast<T>(std::is_signed_v<T> ? ones >> 1 : ones);
  if constexpr (std::is_same_v<Op, minimum>)
    return most;
  else if constexpr (std::is_same_v<Op, maximum>)
    return static_cast<T>(~most);
  else if constexpr (std::is_same_v<Op, bit_and>)
    return static_cast<T>(ones);
  else
    return T{0};
}

// The butterfly among `Size` lanes, up to a row, all of which are there. The same tree as that of shuffles by `xor`:
// when a mirror comes, all lanes of a half of what it mirrors have the same value, and so any of them will do.
template <unsigned Size, class T, class Op, class Moves>
FERMATA_DEVICE T row_butterfly(T value, Op op, Moves moves) noexcept {
  if constexpr (Size >= 2) value = op(value, moves.other_of_pair(value));
  if constexpr (Size >= 4) value = op(value, moves.other_pair_of_four(value));
  if constexpr (Size >= 8) value = op(value, moves.mirror_of_eight(value));
  if constexpr (Size >= 16) value = op(value, moves.mirror_of_row(value));
  return value;
}

// The sum over 64 lanes, all of which are there, in lane 63: its row's, then with that of the row before, then with
// that of the first half. What the other lanes add up is of no use.
template <class T, class Op, class Moves>
FERMATA_DEVICE T four_rows_into_last(T value, Op op, Moves moves) noexcept {
  value = row_butterfly<16>(value, op, moves);
  value = op(value, moves.last_of_row_before(value));
  return op(value, moves.lane_31(value));
}

// The inclusive scan of the lanes of a wave of two or four rows; lanes may be missing at the end. Each row for itself,
// then the rows: the moves bring `nothing` to lanes that have none before.
template <unsigned Rows, class T, class Op, class Moves>
FERMATA_DEVICE T scan_rows(T value, Op op, T nothing, Moves moves) noexcept {
  value = op(moves.template before_in_row<1>(value, nothing), value);
  value = op(moves.template before_in_row<2>(value, nothing), value);
  value = op(moves.template before_in_row<4>(value, nothing), value);
  value = op(moves.template before_in_row<8>(value, nothing), value);
  value = op(moves.last_of_even_row(value, nothing), value);
  if constexpr (Rows == 4) value = op(moves.lane_31_in_second_half(value, nothing), value);
  return value;
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
