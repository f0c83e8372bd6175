// Random numbers for schedules: splitmix64, which any state seeds.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

inline constexpr std::uint64_t splitmix_step = 0x9E3779B97F4A7C15ull;

inline std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t r = state += splitmix_step;
  r = (r ^ r >> 30) * 0xBF58476D1CE4E5B9ull;
  r = (r ^ r >> 27) * 0x94D049BB133111EBull;
  return r ^ r >> 31;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
