// Where a thread is: the same built-in variables in CUDA and HIP.
#pragma once

#include <fermata/detail/device_code.hpp>
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

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
