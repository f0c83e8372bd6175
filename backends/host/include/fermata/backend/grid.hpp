// The executor's own grid barrier, and what those of fermata ask of the target.
#pragma once

#include <fermata/backend/runtime.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/deadline_report.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// errc::barrier_misuse if the launch was not a cooperative one, or if a block that others wait for has returned.
void cooperative_grid_sync() noexcept;

// As many as a device may have. Four blocks that follow each other share one, and have moved on to the next each time
// that they ask: what a device may do to a block at worst.
inline constexpr unsigned chiplets = 8;
unsigned chiplet() noexcept;

// What FERMATA_HOST_RESIDENT_BLOCKS may be; it is read at every launch.
inline unsigned most_resident_blocks(device_info const&) noexcept { return 65536; }

// Fails the launch of the calling lane, and ends the lane in the middle of the kernel: it does not return.
void fail_deadline(detail::deadline_report const* report) noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
