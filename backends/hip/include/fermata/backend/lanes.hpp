// Some lanes of the wave on AMD, named by a mask. The hardware knows only which lanes are active: those that call
// together. Several sets may do so at once, so that each takes its own part of what a vote says.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/call_site.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline lane_word active_lanes(detail::call_site) noexcept { return wave_ballot(true); }

FERMATA_DEVICE inline void lanes_sync(lane_word) noexcept { wave_sync(); }
FERMATA_DEVICE inline bool lanes_any(lane_word members, bool p) noexcept { return (wave_ballot(p) & members) != 0; }
FERMATA_DEVICE inline bool lanes_all(lane_word members, bool p) noexcept { return (wave_ballot(!p) & members) == 0; }
FERMATA_DEVICE inline lane_word lanes_ballot(lane_word members, bool p) noexcept { return wave_ballot(p) & members; }

template <class T>
FERMATA_DEVICE T lanes_shfl(lane_word, T const& value, unsigned lane) noexcept {
  return wave_shfl(value, lane);
}

template <class T>
FERMATA_DEVICE lane_word lanes_match_any(lane_word members, T const& value) noexcept {
  return wave_match_any(value) & members;
}

template <class T>
FERMATA_DEVICE bool lanes_match_all(lane_word members, T const& value) noexcept {
  int const first = static_cast<int>(lowest_bit(members) * 4);
  bool equal = true;
  detail::generic::visit_words(value, [&](std::uint32_t w) {
    equal &= static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(first, static_cast<int>(w))) == w;
  });
  return lanes_all(members, equal);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/generic/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <class T, class Op>
FERMATA_DEVICE T lanes_reduce(lane_word members, T const& value, Op op) noexcept {
  if (members == static_cast<lane_word>(~lane_word{0})) return whole_wave_reduce(value, op);
  return detail::generic::lanes_reduce(members, value, op);
}

template <class T, class Op>
FERMATA_DEVICE T lanes_inclusive_scan(lane_word members, T const& value, Op op) noexcept {
  return detail::generic::lanes_inclusive_scan(members, value, op);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
