// The block: the threads that share a compute unit, its barrier and its shared memory.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>
#include <fermata/detail/check.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The calling block as a group. Obtained from this_block().
//
// Pre of every barrier: all threads of the block call the same one. A thread that returned early is missing;
// hardware forgives that now and then, and faults on a partly exited wave64. The host backend reports it, and so does
// a build with FERMATA_ENABLE_ASSERTIONS.
class block_group {
 public:
  // The number of threads.
  FERMATA_DEVICE unsigned size() const noexcept { return backend::block_dim().count(); }
  // The caller's place, 0 … size() - 1, x fastest.
  FERMATA_DEVICE unsigned thread_rank() const noexcept { return backend::block_thread_rank(); }
  FERMATA_DEVICE dim3 thread_index() const noexcept { return backend::thread_index(); }
  FERMATA_DEVICE dim3 dim() const noexcept { return backend::block_dim(); }
  // The block's place in the grid, by dimension; this_grid().block_rank() is the linear one.
  FERMATA_DEVICE dim3 index() const noexcept { return backend::block_index(); }

  // Waits for all threads of the block, and makes what they did before visible to all of them. What they did is
  // also covered by a release that any one of them does afterwards, at any scope (cumulativity), so that one
  // leader can publish the work of the block.
  // Emits  CUDA: bar.sync 0. HIP: every wave drains its outstanding memory operations (s_waitcnt vmcnt(0), which
  //        s_barrier alone does not do, and without which the leader's release would not cover them), s_barrier.
  // Cost   21 cycles for 128 threads on an H200, 77 for 1,024.
  FERMATA_DEVICE void sync() const noexcept {
    detail::check_block(detail::operation::block_sync);
    backend::block_sync();
  }

  // sync(), and tells how many threads passed true, whether all did, whether any did.
  // Emits  CUDA: barrier.red. HIP: ballots combined in shared memory, two barriers.
  FERMATA_DEVICE unsigned sync_count(bool predicate) const noexcept {
    detail::check_block(detail::operation::block_sync_count);
    return backend::block_sync_count(predicate);
  }
  FERMATA_DEVICE bool sync_and(bool predicate) const noexcept {
    detail::check_block(detail::operation::block_sync_and);
    return backend::block_sync_and(predicate);
  }
  FERMATA_DEVICE bool sync_or(bool predicate) const noexcept {
    detail::check_block(detail::operation::block_sync_or);
    return backend::block_sync_or(predicate);
  }

  // What arrive() leaves for the wait() that belongs to it.
  class [[nodiscard]] arrival_token {
    friend class block_group;
    FERMATA_DEVICE arrival_token() noexcept {}
  };

  // sync() in two halves: what any thread did before arrive() is visible to all threads behind wait(), with the
  // cumulativity of sync(). Between the halves a thread may do work that neither needs nor disturbs what the others
  // publish, and must not wait for what another thread does behind its wait().
  // Pre    all threads of the block call both, in pairs; no other barrier of the block, the cluster or the grid stands
  //        between the halves. The host backend reports a pair that is broken.
  // Emits  CUDA, HIP: arrive nothing, wait what sync emits. These targets (up to sm_100 and gfx11) have no split
  //        barrier without storage, so there is no overlap: it is correct, not faster. For overlap use
  //        barrier<thread_scope_block>.
  FERMATA_DEVICE arrival_token arrive() const noexcept {
    backend::block_arrive();
    return {};
  }
  FERMATA_DEVICE void wait(arrival_token) const noexcept { backend::block_wait(); }
};

FERMATA_DEVICE inline block_group this_block() noexcept { return {}; }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
