// CUDA: the vendor's own grid barrier.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cooperative_groups.h>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline void cooperative_grid_sync() noexcept { ::cooperative_groups::this_grid().sync(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
