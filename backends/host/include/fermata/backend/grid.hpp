// The executor's own grid barrier, and what those of fermata ask of the target.
#pragma once

#include <fermata/backend/runtime.hpp>
#include <fermata/detail/barrier_group.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/deadline_report.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// errc::barrier_misuse if the launch was not a cooperative one, or if a block that others wait for has returned.
void cooperative_grid_sync() noexcept;

inline constexpr detail::barrier_group barrier_group(unsigned block, unsigned blocks) noexcept {
  return detail::neighbouring_barrier_group(block, blocks);
}

// What FERMATA_HOST_RESIDENT_BLOCKS may be; it is read at every launch.
inline unsigned most_resident_blocks(device_info const&) noexcept { return 65536; }

// Fails the launch of the calling lane, and ends the lane in the middle of the kernel: it does not return.
void fail_deadline(detail::deadline_report const* report) noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
