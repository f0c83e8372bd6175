// AMD: no clusters. Each block is one.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline unsigned cluster_rank() noexcept { return 0; }
FERMATA_DEVICE inline unsigned cluster_size() noexcept { return 1; }
FERMATA_DEVICE inline void cluster_sync() noexcept { block_sync(); }
FERMATA_DEVICE inline void cluster_arrive() noexcept { block_arrive(); }
FERMATA_DEVICE inline void cluster_wait() noexcept { block_wait(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
