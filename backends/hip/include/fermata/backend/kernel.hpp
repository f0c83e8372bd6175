// HIP: how kernels are written; the text is the same as CUDA's but for the second launch bound.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <hip/hip_runtime.h>

#include <fermata/detail/gpu/kernel.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The second argument of HIP's __launch_bounds__ is a number of waves per SIMD, not CUDA's blocks per multiprocessor.
// This is what so many blocks need: a compute unit of gfx9, and a pair of them on gfx10 and later, has four SIMDs.
constexpr unsigned waves_per_simd(unsigned threads, unsigned blocks) {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  unsigned const wave = 32;
#else
  unsigned const wave = 64;
#endif
  unsigned const waves = (threads + wave - 1) / wave * blocks;
  return (waves + 3) / 4;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#undef FERMATA_KERNEL_BOUNDS
#define FERMATA_KERNEL_BOUNDS(threads, ...)                                                                         \
  __global__ __attribute__((amdgpu_flat_work_group_size(1, threads)))                                               \
  __VA_OPT__(__attribute__((amdgpu_waves_per_eu(::fermata::backend::waves_per_simd(threads, __VA_ARGS__))))) void
