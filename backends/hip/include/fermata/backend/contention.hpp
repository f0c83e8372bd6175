// What the contention helpers ask of the wave and of shared memory, on AMD.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/lanes.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The named lanes are those of EXEC, so that the first of them is the first active lane: scalar registers instead of a
// trip through shared memory.
template <class T>
FERMATA_DEVICE bool here_match_all(lane_word, T value) noexcept {
  return wave_match_all(value);
}

// One turn of its loop where all are equal.
template <class T>
FERMATA_DEVICE lane_word here_match_any(lane_word, T value) noexcept {
  return wave_match_any(value);
}

FERMATA_DEVICE inline void count_in_block(std::uint32_t* p, std::uint32_t n) noexcept {
  (void)atomic_fetch_add<thread_scope::block, std::memory_order_relaxed>(p, n);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
