// Wave collectives built from shuffles. A backend opts into one by name: its <fermata/backend/wave.hpp> includes
// this file after it has declared wave_size, lane_id, live_lanes and the shuffles.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// The result is the same tree on every backend, so that floats add up in the same order for the same width.
template <class T, class Op>
FERMATA_DEVICE T wave_reduce(T value, Op op) noexcept {
  unsigned const width = backend::wave_size();
  unsigned const live = backend::live_lanes();
  if (live == width) {
    for (unsigned step = 1; step < width; step *= 2) value = op(value, backend::wave_shfl_xor(value, step));
    return value;
  }
  // In a partial wave only lane 0 meets every other lane; it hands the result to the rest.
  unsigned const lane = backend::lane_id();
  for (unsigned step = 1; step < width; step *= 2) {
    unsigned const partner = lane ^ step;
    T const other = backend::wave_shfl(value, partner < live ? partner : lane);
    if (partner < live) value = op(value, other);
  }
  return backend::wave_shfl(value, 0u);
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
