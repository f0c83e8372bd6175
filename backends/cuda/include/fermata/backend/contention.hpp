// CUDA: what the contention helpers ask of the warp and of shared memory.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <class T>
FERMATA_DEVICE bool here_match_all(lane_word here, T value) noexcept {
  return lanes_match_all(here, value);
}

// match.any takes a turn for each distinct value inside the hardware, match.all one comparison: first the quick answer.
template <class T>
FERMATA_DEVICE lane_word here_match_any(lane_word here, T value) noexcept {
  return lanes_match_all(here, value) ? here : lanes_match_any(here, value);
}

// Through the intrinsic, which the compiler turns into an instruction for shared memory; libcu++'s operations stay
// generic there. It is a relaxed one.
FERMATA_DEVICE inline void count_in_block(std::uint32_t* p, std::uint32_t n) noexcept { (void)atomicAdd_block(p, n); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
