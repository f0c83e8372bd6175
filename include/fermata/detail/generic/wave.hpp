// Wave collectives built from shuffles. A backend opts into one by name: its <fermata/backend/wave.hpp> includes
// this file after it has declared wave_size, lane_id, wave_ballot, count_bits and the shuffles.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// The result is the same tree on every backend, so that floats add up in the same order for the same width.
// shuffle(value, mask) is the shuffle by `xor` among `size` lanes, all of which are there.
template <class T, class Op, class Shuffle>
FERMATA_DEVICE T butterfly(T value, Op op, unsigned size, Shuffle shuffle) noexcept {
  for (unsigned step = 1; step < size; step *= 2) value = op(value, shuffle(value, step));
  return value;
}

// The same for the first `live` lanes, 1 or more: only lane 0 meets every other lane; it hands the result to the rest.
template <class T, class Op>
FERMATA_DEVICE T partial_reduce(T value, Op op, unsigned live) noexcept {
  unsigned const lane = backend::lane_id();
  for (unsigned step = 1; step < live; step *= 2) {
    unsigned const partner = lane ^ step;
    T const other = backend::wave_shfl(value, partner < live ? partner : lane);
    if (partner < live) value = op(value, other);
  }
  return backend::wave_shfl(value, 0u);
}

// Who exists is asked of the lanes, all of which are here: one instruction, where the sizes of the block take several.
template <class T, class Op>
FERMATA_DEVICE T wave_reduce(T value, Op op) noexcept {
  unsigned const width = backend::wave_size();
  unsigned const live = backend::count_bits(backend::wave_ballot(true));
  if (live != width) return partial_reduce(value, op, live);
  return butterfly(value, op, width, [](T const& v, unsigned mask) { return backend::wave_shfl_xor(v, mask); });
}

// The scan of Kogge and Stone among `size` lanes, of which the caller is number `rank`: step by step the value of the
// lane that is 1, 2, 4, … ranks before. shuffle(value, step) brings it, and anything where there is none.
template <class T, class Op, class Shuffle>
FERMATA_DEVICE T inclusive_scan(T value, Op op, unsigned rank, unsigned size, Shuffle shuffle) noexcept {
  for (unsigned step = 1; step < size; step *= 2) {
    T const before = shuffle(value, step);
    if (rank >= step) value = op(before, value);
  }
  return value;
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
