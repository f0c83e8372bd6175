// A set of lanes as an order: from a lane to its rank, and back.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <fermata/backend/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Pre: lane < the bits of a word.
FERMATA_DEVICE constexpr backend::lane_word bits_below(unsigned lane) noexcept {
  return static_cast<backend::lane_word>((backend::lane_word{1} << lane) - 1);
}

// The lane of rank n: the n-th lowest of `members`, n = 0 for the lowest. Halves the word, counting the lower half.
// Pre: n < the number of members.
FERMATA_DEVICE inline unsigned nth_lane(backend::lane_word members, unsigned n) noexcept {
  unsigned lane = 0;
  for (unsigned half = sizeof(members) * 4; half != 0; half /= 2) {
    unsigned const lower = backend::count_bits(members & bits_below(half));
    bool const above = n >= lower;
    lane += above ? half : 0;
    n -= above ? lower : 0;
    members = above ? static_cast<backend::lane_word>(members >> half) : members;
  }
  return lane;
}

// The set `some` of members, with the members' ranks for bits instead of their lanes. Pre: some is a part of members.
FERMATA_DEVICE inline backend::lane_word to_ranks(backend::lane_word some, backend::lane_word members) noexcept {
  // Members 0 … n - 1 are their own ranks.
  if ((members & static_cast<backend::lane_word>(members + 1)) == 0) return some;
  backend::lane_word ranks = 0;
  for (; some != 0; some &= some - 1)
    ranks |= backend::lane_word{1} << backend::count_bits(members & bits_below(backend::lowest_bit(some)));
  return ranks;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
