// CUDA: tiles of N lanes, N a power of two up to 32. The shuffles know segments of that width themselves.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The lanes of the tile of `lane`.
template <unsigned N>
FERMATA_DEVICE lane_word tile_lanes(unsigned lane) noexcept {
  if constexpr (N == 32)
    return every_lane;
  else
    return ((1u << N) - 1) << (lane & ~(N - 1));
}

template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl(T value, unsigned source) noexcept {
  lane_word const members = tile_lanes<N>(lane_id());
  return detail::generic::for_each_word(
      value, [=](std::uint32_t w) { return __shfl_sync(members, w, source, static_cast<int>(N)); });
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_up(T value, unsigned delta) noexcept {
  lane_word const members = tile_lanes<N>(lane_id());
  return detail::generic::for_each_word(
      value, [=](std::uint32_t w) { return __shfl_up_sync(members, w, delta, static_cast<int>(N)); });
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_down(T value, unsigned delta) noexcept {
  lane_word const members = tile_lanes<N>(lane_id());
  return detail::generic::for_each_word(
      value, [=](std::uint32_t w) { return __shfl_down_sync(members, w, delta, static_cast<int>(N)); });
}
template <unsigned N, class T>
FERMATA_DEVICE T tile_shfl_xor(T value, unsigned mask) noexcept {
  lane_word const members = tile_lanes<N>(lane_id());
  return detail::generic::for_each_word(
      value, [=](std::uint32_t w) { return __shfl_xor_sync(members, w, mask, static_cast<int>(N)); });
}

template <unsigned N, class T, class Op>
FERMATA_DEVICE T tile_reduce(T value, Op op) noexcept {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (has_redux<T, Op>) return redux(tile_lanes<N>(lane_id()), value, op);
#endif
  // Once for all steps: the compiler reads the lane anew for each use.
  lane_word const members = tile_lanes<N>(lane_id());
  return detail::generic::butterfly(value, op, N, [members](T const& v, unsigned mask) {
    return detail::generic::for_each_word(
        v, [=](std::uint32_t w) { return __shfl_xor_sync(members, w, mask, static_cast<int>(N)); });
  });
}

template <unsigned N, class T, class Op>
FERMATA_DEVICE T tile_inclusive_scan(T value, Op op) noexcept {
  return segment_scan<N>(tile_lanes<N>(lane_id()), value, op);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
