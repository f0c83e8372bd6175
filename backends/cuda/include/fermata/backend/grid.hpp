// CUDA: the vendor's own grid barrier, and what those of fermata ask of the target.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cooperative_groups.h>

#include <fermata/backend/runtime.hpp>
#include <fermata/detail/deadline_report.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline void cooperative_grid_sync() noexcept { ::cooperative_groups::this_grid().sync(); }

// One L2 cache for all. (It has two halves, and nothing tells on which side of it a block runs.)
inline constexpr unsigned chiplets = 1;
FERMATA_DEVICE inline unsigned chiplet() noexcept { return 0; }

// No multiprocessor holds more blocks (CUDA programming guide, up to sm_100).
inline constexpr unsigned most_blocks_a_multiprocessor = 32;

// At least as many blocks as can be resident.
inline unsigned most_resident_blocks(device_info const& info) noexcept {
  return most_blocks_a_multiprocessor * info.multiprocessors;
}

// Ends the kernel; the report is where the CPU finds it.
FERMATA_DEVICE inline void fail_deadline(detail::deadline_report const*) noexcept { __trap(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
