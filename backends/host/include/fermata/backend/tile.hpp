// Tiles of N lanes on the host, N a power of two up to 32: sets of lanes that lie side by side.
#pragma once

#include <fermata/backend/lanes.hpp>
#include <memory>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The lanes of the tile of `lane`.
template <unsigned N>
lane_word tile_lanes(unsigned lane) noexcept {
  return ((lane_word{1} << N) - 1) << (lane & ~(N - 1));
}

template <unsigned N, class T>
T tile_shfl(T value, unsigned source) noexcept {
  unsigned const lane = lane_id();
  return lanes_shfl(tile_lanes<N>(lane), value, (lane & ~(N - 1)) | (source & (N - 1)));
}
template <unsigned N, class T>
T tile_shfl_up(T value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return lanes_shfl(tile_lanes<N>(lane), value, delta <= lane % N ? lane - delta : lane);
}
template <unsigned N, class T>
T tile_shfl_down(T value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return lanes_shfl(tile_lanes<N>(lane), value, delta < N - lane % N ? lane + delta : lane);
}
template <unsigned N, class T>
T tile_shfl_xor(T value, unsigned mask) noexcept {
  unsigned const lane = lane_id();
  return lanes_shfl(tile_lanes<N>(lane), value, lane ^ mask);
}

namespace host {

// All lanes of a tile are there, so that each of them meets every other.
template <class T, class Op>
void fold_tile(unsigned count, bool, void* const* values, void* const* results, void const* const* operations) {
  fold<T, Op>(count, true, values, results, operations);
}

}  // namespace host

template <unsigned N, class T, class Op>
T tile_reduce(T value, Op op) noexcept {
  T result = value;
  host::wave_fold(host::fold_tile<T, Op>, std::addressof(value), std::addressof(result), sizeof(T), std::addressof(op),
                  tile_lanes<N>(lane_id()));
  return result;
}

template <unsigned N, class T, class Op>
T tile_inclusive_scan(T value, Op op) noexcept {
  return lanes_inclusive_scan(tile_lanes<N>(lane_id()), value, op);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
