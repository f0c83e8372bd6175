// CUDA: the block and its barrier. bar.sync is cumulative: a later release by any one thread covers the whole block.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/wave.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline dim3 thread_index() noexcept { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
FERMATA_DEVICE inline dim3 block_index() noexcept { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
FERMATA_DEVICE inline dim3 block_dim() noexcept { return dim3(blockDim.x, blockDim.y, blockDim.z); }
FERMATA_DEVICE inline dim3 grid_dim() noexcept { return dim3(gridDim.x, gridDim.y, gridDim.z); }

FERMATA_DEVICE inline unsigned block_thread_rank() noexcept {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// That the thread of rank 0 is lane 0 tells ptxas that it is alone. Otherwise it adds up the leader's atomics over the
// wave by a vote and a shuffle, and the shuffle waits for what the atomic returns. In a kernel that uses its ranks NVVM
// makes of two comparisons with zero one of (lane | rank), and ptxas does not see it: hence a sum that NVVM cannot see
// through.
FERMATA_DEVICE inline bool leads_block() noexcept {
  unsigned count;
  // Not volatile: arithmetic, which may move or go.
  asm("add.u32 %0, %1, 1;" : "=r"(count) : "r"(block_thread_rank()));
  return lane_id() == 0 && count == 1;
}

FERMATA_DEVICE inline void block_sync() noexcept { __syncthreads(); }
FERMATA_DEVICE inline unsigned block_sync_count(bool p) noexcept {
  return static_cast<unsigned>(__syncthreads_count(p));
}
FERMATA_DEVICE inline bool block_sync_and(bool p) noexcept { return __syncthreads_and(p) != 0; }
FERMATA_DEVICE inline bool block_sync_or(bool p) noexcept { return __syncthreads_or(p) != 0; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

// No split barrier without storage (named barriers count a thread that arrives and waits twice).
#include <fermata/detail/generic/block_split.hpp>
