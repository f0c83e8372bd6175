// Clocks: both are std::chrono::steady_clock in nanoseconds.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

std::uint64_t wall_clock() noexcept;
std::uint64_t cycle_clock() noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
