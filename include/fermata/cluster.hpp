// The cluster: blocks that run at the same time on neighbouring compute units, and their barrier.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/cluster.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The calling cluster as a group of blocks. Obtained from this_cluster().
//
// launch_config::cluster says how many blocks it has, neighbours in x; they are resident together in every launch,
// cooperative or not. Where the target has no clusters (NVIDIA before sm_90, AMD), and in a launch that names none, it
// is one block, and its barrier is that block's: a kernel written for any size() runs everywhere.
//
// Pre of the barrier: all threads of all blocks of the cluster call it.
class cluster_group {
 public:
  // The number of blocks.
  FERMATA_DEVICE unsigned size() const noexcept { return backend::cluster_size(); }
  // The caller's block among them, 0 … size() - 1.
  FERMATA_DEVICE unsigned rank() const noexcept { return backend::cluster_rank(); }

  // Waits for all threads of the cluster, and makes what they did before visible to all of them. A later release by any
  // one of them covers it, as with this_block().sync().
  // Emits  CUDA sm_90 and later: barrier.cluster.arrive (release), barrier.cluster.wait (acquire), in hardware.
  //        HIP: the block's barrier. host: a rendezvous of the blocks.
  FERMATA_DEVICE void sync() const noexcept { backend::cluster_sync(); }

  // What arrive() leaves for the wait() that belongs to it.
  class [[nodiscard]] arrival_token {
    friend class cluster_group;
    FERMATA_DEVICE arrival_token() noexcept {}
  };

  // sync() in two halves: what any thread did before arrive() is visible to all threads behind wait(). Between the
  // halves a thread may do work that neither needs nor disturbs what the others publish, and must not wait for what
  // another thread does behind its wait(): CUDA overlaps the two, on HIP and the host the wait does all the work.
  // Pre    all threads of the cluster call both, in pairs; no other barrier stands between them.
  FERMATA_DEVICE arrival_token arrive() const noexcept {
    backend::cluster_arrive();
    return {};
  }
  FERMATA_DEVICE void wait(arrival_token) const noexcept { backend::cluster_wait(); }
};

FERMATA_DEVICE inline cluster_group this_cluster() noexcept { return {}; }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
