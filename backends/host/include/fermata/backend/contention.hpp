// What the contention helpers ask of the wave and of shared memory, on the host.
#pragma once

#include <cstdint>
#include <fermata/backend/atomic.hpp>
#include <fermata/backend/lanes.hpp>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <class T>
bool here_match_all(lane_word here, T value) noexcept {
  return lanes_match_all(here, value);
}

template <class T>
lane_word here_match_any(lane_word here, T value) noexcept {
  return lanes_match_any(here, value);
}

inline void count_in_block(std::uint32_t* p, std::uint32_t n) noexcept {
  (void)atomic_fetch_add<thread_scope::block, std::memory_order_relaxed>(p, n);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
