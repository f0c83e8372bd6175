// The block on AMD (a workgroup), and its barrier.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <hip/hip_runtime.h>

#include <fermata/backend/fence.hpp>
#include <fermata/backend/wave.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The builtins behind threadIdx and its like. HIP's blockDim allows for a smaller last block, which HIP never launches,
// and leaves loads through a vector register behind.
FERMATA_DEVICE inline dim3 thread_index() noexcept {
  return dim3(__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z());
}
FERMATA_DEVICE inline dim3 block_index() noexcept {
  return dim3(__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z());
}
FERMATA_DEVICE inline dim3 block_dim() noexcept {
  return dim3(__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
              __builtin_amdgcn_workgroup_size_z());
}
FERMATA_DEVICE inline dim3 grid_dim() noexcept { return dim3(static_cast<unsigned>(gridDim.x), gridDim.y, gridDim.z); }

FERMATA_DEVICE inline bool leads_block() noexcept { return block_thread_rank() == 0; }

// __syncthreads() alone does not drain the vector memory counter on gfx9: global stores and atomics of other waves may
// still be on their way when a leader releases at device scope after the barrier, and its wait is for its own wave.
// The release fence of this backend drains in every wave, before the barrier, which makes the barrier cumulative. The
// acquire is the compiler's own: there is nothing left to wait for.
FERMATA_DEVICE inline void block_sync() noexcept {
  release_fence<thread_scope::block>();
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Every wave leaves its count in shared memory, and every thread adds all of them up: reads of one address by all
// lanes are a broadcast. The second barrier keeps the next call from overwriting what a slow wave still reads.
FERMATA_DEVICE inline unsigned block_sync_count(bool predicate) noexcept {
  __shared__ unsigned counts[32];  // one for each wave of the largest block: 1,024 threads in waves of 32 or 64
  unsigned const count = count_bits(wave_ballot(predicate));
  if (lane_id() == 0) counts[block_thread_rank() / wave_size()] = count;
  block_sync();
  unsigned const waves = (block_threads() + wave_size() - 1) / wave_size();
  unsigned sum = 0;
#pragma clang loop vectorize(disable)
  for (unsigned wave = 0; wave < waves; ++wave) sum += counts[wave];
  block_sync();
  return sum;
}

FERMATA_DEVICE inline bool block_sync_and(bool predicate) noexcept { return block_sync_count(!predicate) == 0; }
FERMATA_DEVICE inline bool block_sync_or(bool predicate) noexcept { return block_sync_count(predicate) != 0; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

// No split barrier before gfx12.
#include <fermata/detail/generic/block_split.hpp>
