// CUDA: what the checks of an assertions build ask the hardware.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The lanes of `members` that are here. Lanes of a warp need not run together even where they all come: they are
// brought together first. (A lane that waits at another operation takes part in that unseen; agree_on finds it.)
FERMATA_DEVICE inline lane_word converged_lanes(lane_word members) noexcept {
  __syncwarp(members);
  return __activemask() & members;
}

// Whether all members pass the same value. Pre: they are here.
FERMATA_DEVICE inline bool agree_on(lane_word members, std::uint32_t value) noexcept {
  int same;
  (void)__match_all_sync(members, value, &same);
  return same != 0;
}

FERMATA_DEVICE inline void trap() noexcept { __trap(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/gpu/check.hpp>
