// CUDA: some lanes of the warp, named by a mask. Each of them passes the same mask, and it goes into every _sync call,
// which waits for exactly these lanes: they may come one by one.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/call_site.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline lane_word active_lanes(detail::call_site) noexcept { return __activemask(); }

FERMATA_DEVICE inline void lanes_sync(lane_word members) noexcept { __syncwarp(members); }
FERMATA_DEVICE inline bool lanes_any(lane_word members, bool p) noexcept { return __any_sync(members, p); }
FERMATA_DEVICE inline bool lanes_all(lane_word members, bool p) noexcept { return __all_sync(members, p); }
FERMATA_DEVICE inline lane_word lanes_ballot(lane_word members, bool p) noexcept { return __ballot_sync(members, p); }

template <class T>
FERMATA_DEVICE T lanes_shfl(lane_word members, T value, unsigned lane) noexcept {
  return detail::generic::for_each_word(value, [=](std::uint32_t w) { return __shfl_sync(members, w, lane); });
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/generic/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <class T, class Op>
FERMATA_DEVICE T lanes_reduce(lane_word members, T value, Op op) noexcept {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (has_redux<T, Op>)
    return redux(members, value, op);
  else
#endif
    return detail::generic::lanes_reduce(members, value, op);
}

template <class T, class Op>
FERMATA_DEVICE T lanes_inclusive_scan(lane_word members, T value, Op op) noexcept {
  return detail::generic::lanes_inclusive_scan(members, value, op);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
