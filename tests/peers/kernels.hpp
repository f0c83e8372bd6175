// One kernel for each operation and type, the same for every library. Whoever includes this defines before it what a
// library does: wave_first, wave_all, wave_inclusive, wave_exclusive, and the same of a block of 256 threads.
#pragma once

#include <cstdint>

using i32 = std::int32_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;

#define PEERS_KERNEL(name, type, write, value)                                                      \
  extern "C" __global__ void __launch_bounds__(256) name##_##type(type const* in, type* out) {      \
    before_anything();                                                                              \
    type const result = value;                                                                      \
    if (write) out[threadIdx.x] = result;                                                           \
  }

#define PEERS_KERNELS(type, op)                                                                     \
  PEERS_KERNEL(wave_reduce_to_first, type, is_first_lane(), wave_first(in[threadIdx.x], op{}))      \
  PEERS_KERNEL(wave_reduce_to_all, type, true, wave_all(in[threadIdx.x], op{}))                     \
  PEERS_KERNEL(wave_inclusive_scan, type, true, wave_inclusive(in[threadIdx.x], op{}))              \
  PEERS_KERNEL(wave_exclusive_scan, type, true, wave_exclusive(in[threadIdx.x], op{}))              \
  PEERS_KERNEL(block_reduce_to_first, type, threadIdx.x == 0, block_first(in[threadIdx.x], op{}))   \
  PEERS_KERNEL(block_reduce_to_all, type, true, block_all(in[threadIdx.x], op{}))                   \
  PEERS_KERNEL(block_inclusive_scan, type, true, block_inclusive(in[threadIdx.x], op{}))            \
  PEERS_KERNEL(block_exclusive_scan, type, true, block_exclusive(in[threadIdx.x], op{}))

PEERS_KERNELS(i32, add)
PEERS_KERNELS(u32, least)
PEERS_KERNELS(f32, add)
PEERS_KERNELS(u64, add)
