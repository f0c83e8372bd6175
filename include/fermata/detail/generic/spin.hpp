// Waits that look at once, and go on looking: for backends on which no better moment has been measured.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline std::uint64_t cycle_stamp() noexcept { return 0; }
FERMATA_DEVICE inline void wait_until(std::uint64_t, std::uint32_t) noexcept {}
FERMATA_DEVICE inline std::uint32_t ahead(std::uint32_t value) noexcept { return value; }
constexpr unsigned grid_barrier_places = 1, grid_barrier_lines_apart = 1;
// One hop and one word; where published figures suggest more, as for the AMD targets of eight L2s, nobody has measured
// it for this project.
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned) noexcept { return false; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned) noexcept { return 0; }
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned) noexcept { return 0; }
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll(unsigned, unsigned) noexcept { return 0; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
