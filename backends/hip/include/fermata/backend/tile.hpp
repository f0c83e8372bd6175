// Tiles of N lanes on AMD, N a power of two up to 32: the wave's shuffles with the source kept inside the tile.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The lanes of the tile of `lane`.
template <unsigned N>
FERMATA_DEVICE lane_word tile_lanes(unsigned lane) noexcept {
  return static_cast<lane_word>(~lane_word{0} >> (sizeof(lane_word) * 8 - N)) << (lane & ~(N - 1));
}

template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl(T const& value, unsigned source) noexcept {
  return wave_shfl(value, (lane_id() & ~(N - 1)) | (source & (N - 1)));
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_up(T const& value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return wave_shfl(value, delta <= lane % N ? lane - delta : lane);
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_down(T const& value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return wave_shfl(value, delta < N - lane % N ? lane + delta : lane);
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_xor(T const& value, unsigned mask) noexcept {
  return wave_shfl(value, lane_id() ^ mask);
}

template <unsigned N, class T, class Op>
FERMATA_DEVICE T tile_reduce(T const& value, Op op) noexcept {
  T const row = detail::generic::row_butterfly<N>(value, op, row_moves{});
  if constexpr (N <= 16)
    return row;
  else
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
    return op(row, other_row(row));
#else
    return op(row, wave_shfl_xor(row, 16u));
#endif
}

template <unsigned N, class T, class Op>
FERMATA_DEVICE T tile_inclusive_scan(T const& value, Op op) noexcept {
  unsigned const lane = lane_id();
  return detail::generic::inclusive_scan(value, op, lane % N, N,
                                         [lane](T const& v, unsigned step) { return wave_shfl(v, lane - step); });
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
