// CUDA: clusters of sm_90 and later. A launch that names none has clusters of one block there, too, so that the same
// instructions serve; before sm_90 each block is a cluster.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

FERMATA_DEVICE inline unsigned cluster_rank() noexcept { return 0; }
FERMATA_DEVICE inline unsigned cluster_size() noexcept { return 1; }
FERMATA_DEVICE inline void cluster_arrive() noexcept { block_arrive(); }
FERMATA_DEVICE inline void cluster_wait() noexcept { block_wait(); }

#else

FERMATA_DEVICE inline unsigned cluster_rank() noexcept {
  unsigned rank;
  // Not volatile: it is the same for as long as the block lives, and orders nothing.
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
FERMATA_DEVICE inline unsigned cluster_size() noexcept {
  unsigned size;
  // Not volatile: it is the same for as long as the block lives, and orders nothing.
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

// The orders are the defaults of the two instructions, spelt out. Without .aligned, as in cooperative groups: the lanes
// of a warp need not have reconverged.
FERMATA_DEVICE inline void cluster_arrive() noexcept { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
FERMATA_DEVICE inline void cluster_wait() noexcept { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

#endif

FERMATA_DEVICE inline void cluster_sync() noexcept {
  cluster_arrive();
  cluster_wait();
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
