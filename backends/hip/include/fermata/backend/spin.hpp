// HIP: when to look first.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// At once: nobody has measured a better moment on AMD hardware for this project.
FERMATA_DEVICE inline std::uint32_t cycle_stamp() noexcept { return 0; }
FERMATA_DEVICE inline void wait_until(std::uint32_t, std::uint32_t) noexcept {}
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned) noexcept { return 0; }
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll() noexcept { return 0; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
