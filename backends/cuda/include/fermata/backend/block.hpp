// CUDA: the block barrier. bar.sync is cumulative: a later release by any one thread covers the whole block.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/gpu/index.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline void block_sync() noexcept { __syncthreads(); }
FERMATA_DEVICE inline unsigned block_sync_count(bool p) noexcept { return static_cast<unsigned>(__syncthreads_count(p)); }
FERMATA_DEVICE inline bool block_sync_and(bool p) noexcept { return __syncthreads_and(p) != 0; }
FERMATA_DEVICE inline bool block_sync_or(bool p) noexcept { return __syncthreads_or(p) != 0; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
