// Collectives of a set of lanes built from shuffles. A backend's <fermata/backend/lanes.hpp> includes this file after
// it has declared lanes_shfl.
#pragma once

#include <fermata/detail/config.hpp>
#include <fermata/detail/generic/wave.hpp>
#include <fermata/detail/ranks.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// Each lane knows its predecessor 1, 2, 4, … ranks before by asking the one half as far for its own: a second shuffle
// in each step, and no search for the n-th lane.
template <class T, class Op>
FERMATA_DEVICE T lanes_inclusive_scan(backend::lane_word members, T value, Op op) noexcept {
  unsigned const lane = backend::lane_id();
  backend::lane_word const before = members & bits_below(lane);
  unsigned const rank = backend::count_bits(before), size = backend::count_bits(members);
  unsigned source = before != 0 ? backend::highest_bit(before) : lane;
  for (unsigned step = 1; step < size; step *= 2) {
    if (step != 1) source = backend::lanes_shfl(members, source, source);
    T const other = backend::lanes_shfl(members, value, source);
    if (rank >= step) value = op(other, value);
  }
  return value;
}

// The same tree as wave_reduce where the lanes are a whole wave; else the last lane of the scan has it all.
template <class T, class Op>
FERMATA_DEVICE T lanes_reduce(backend::lane_word members, T value, Op op) noexcept {
  if (backend::count_bits(members) == backend::wave_size())
    return butterfly(value, op, backend::wave_size(),
                     [](T const& v, unsigned mask) { return backend::wave_shfl_xor(v, mask); });
  value = lanes_inclusive_scan(members, value, op);
  return backend::lanes_shfl(members, value, backend::highest_bit(members));
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
