// The grid, and the barrier for all of it.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/atomic.hpp>
#include <fermata/backend/grid.hpp>
#include <fermata/backend/spin.hpp>
#include <fermata/block.hpp>
#include <fermata/buffer.hpp>
#include <fermata/device.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The calling grid as a group. Obtained from this_grid().
class grid_group {
 public:
  // The number of threads, and the caller's place among them: block by block, x fastest.
  FERMATA_DEVICE std::uint64_t size() const noexcept {
    return std::uint64_t{num_blocks()} * backend::block_dim().count();
  }
  FERMATA_DEVICE std::uint64_t thread_rank() const noexcept {
    return std::uint64_t{block_rank()} * backend::block_dim().count() + backend::block_thread_rank();
  }
  FERMATA_DEVICE unsigned num_blocks() const noexcept { return backend::grid_dim().count(); }
  FERMATA_DEVICE unsigned block_rank() const noexcept {
    dim3 const n = backend::grid_dim(), i = backend::block_index();
    return (i.z * n.y + i.y) * n.x + i.x;
  }
  FERMATA_DEVICE dim3 dim() const noexcept { return backend::grid_dim(); }

  // The vendor's own grid barrier. Pre: launched by launch_cooperative; all threads of the grid call it.
  // grid_barrier<> does the same, faster where it was measured (H200).
  FERMATA_DEVICE void sync() const noexcept { backend::cooperative_grid_sync(); }
};

FERMATA_DEVICE inline grid_group this_grid() noexcept { return {}; }

// Algorithms of grid_barrier. All of them: one leader per block speaks for it, between two block barriers.
struct central_generation {};  // the textbook one: a count, and a generation word that the last arriver advances
struct monotonic {};           // one word that only grows; each crossing adds the same amount whatever the grid
struct cooperative {};         // the vendor's own: cooperative groups, ockl, the executor

// The fastest of them where it was measured (H200), and correct everywhere.
using default_grid_algorithm = monotonic;

// The words of a barrier, each on a line of its own (128 bytes cover the granules of both vendors).
struct grid_barrier_state {
  alignas(128) std::uint32_t arrived;
  alignas(128) std::uint32_t generation;
};

// A barrier for all blocks of a grid: a stateless handle, copied into the kernel's arguments.
//
// Pre     launched by launch_cooperative (all blocks resident); every thread of every block makes the same calls;
//         one launch at a time per storage. Any grid size, a different one in each launch; never re-armed.
// Memory  everything that any thread of the grid did before sync() is visible to all threads after it.
// Wraps   safely: targets are taken from the arrival's own old value, generations are compared for equality.
// Split   arrive() and wait(token) in monotonic and central_generation; the vendor's barrier has no such form.
// Cost    µs, 256 threads a block, on an H200 (docs/results/2026-11-30-h200), at 1 / 132 / 264 / 528 / 1056 blocks:
//         monotonic 0.53 / 0.90 / 0.94 / 1.11 / 1.82, cooperative 0.89 / 1.06 / 1.07 / 1.33 / 2.39,
//         central_generation 0.88 / 1.49 / 1.64 / 1.81 / 2.28.
template <class Algorithm = default_grid_algorithm>
class grid_barrier;

// What a split barrier remembers between arrive and wait; meaningful in the block's leader.
struct grid_barrier_token {
  std::uint32_t seen;     // the barrier's word before the arrival
  std::uint32_t arrival;  // when that was, as a backend::cycle_stamp
};

template <>
class grid_barrier<monotonic> {
 public:
  FERMATA_FN explicit constexpr grid_barrier(grid_barrier_state* state) noexcept : state_(state) {}

  FERMATA_DEVICE void sync() const noexcept { wait(arrive()); }

  // Tells the grid that the calling block has come here. Between arrive and wait the block may do work that
  // neither needs nor disturbs what the others publish.
  FERMATA_DEVICE grid_barrier_token arrive() const noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (this_block().thread_rank() == 0) {
      // All arrivals of one crossing add up to `quantum`, whatever the number of blocks: block 0 adds the rest.
      // So the word needs no reset between launches of different grids, and the target follows from any arrival.
      std::uint32_t const blocks = this_grid().num_blocks();
      std::uint32_t const amount = this_grid().block_rank() == 0 ? quantum - (blocks - 1) : 1;
      token.seen = device_atomic_ref<std::uint32_t>(state_->arrived).fetch_add(amount, memory_order_release);
      // After the release has waited for what the block wrote; the arrival itself is on its way.
      token.arrival = backend::cycle_stamp();
    }
    return token;
  }

  FERMATA_DEVICE void wait(grid_barrier_token token) const noexcept {
    if (this_block().thread_rank() == 0) {
      // Polling while others still arrive is what a barrier pays for, so the first poll has its time. Nothing before
      // it uses token.seen, so that the arrival's way back is spent in the same delay and not before it.
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(this_grid().num_blocks()));
      std::uint32_t const target = (token.seen & ~(quantum - 1)) + quantum;
      // As a signed distance, so that the word may wrap around.
      backend::atomic_await<thread_scope::device, std::memory_order_acquire>(
          &state_->arrived, [target](std::uint32_t seen) { return static_cast<std::int32_t>(seen - target) >= 0; });
    }
    this_block().sync();
  }

  // The number of blocks must stay below this.
  static constexpr std::uint32_t quantum = 1u << 24;

 private:
  grid_barrier_state* state_;
};

template <>
class grid_barrier<central_generation> {
 public:
  FERMATA_FN explicit constexpr grid_barrier(grid_barrier_state* state) noexcept : state_(state) {}

  FERMATA_DEVICE void sync() const noexcept { wait(arrive()); }

  FERMATA_DEVICE grid_barrier_token arrive() const noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (this_block().thread_rank() == 0) {
      device_atomic_ref<std::uint32_t> arrived(state_->arrived), generation(state_->generation);
      // Sampled before the arrival: after it, the last block may already have moved on.
      token.seen = generation.load(memory_order_relaxed);
      // acq_rel, so that the last arriver has seen what all others did before it publishes the new generation.
      if (arrived.fetch_add(1, memory_order_acq_rel) == this_grid().num_blocks() - 1) {
        arrived.store(0, memory_order_relaxed);
        generation.fetch_add(1, memory_order_release);
      }
    }
    return token;
  }

  FERMATA_DEVICE void wait(grid_barrier_token token) const noexcept {
    if (this_block().thread_rank() == 0)
      backend::atomic_await<thread_scope::device, std::memory_order_acquire>(
          &state_->generation, [old = token.seen](std::uint32_t seen) { return seen != old; });
    this_block().sync();
  }

 private:
  grid_barrier_state* state_;
};

template <>
class grid_barrier<cooperative> {
 public:
  FERMATA_FN explicit constexpr grid_barrier(grid_barrier_state*) noexcept {}

  FERMATA_DEVICE void sync() const noexcept { this_grid().sync(); }
};

// The memory of a barrier: owned by the host, zeroed once, used by any number of launches, one at a time.
template <class Algorithm = default_grid_algorithm>
class grid_barrier_storage {
 public:
  explicit grid_barrier_storage(device const& d) : state_(d, 1) {
    stream s(d);
    reset(s);
    s.synchronize();
  }

  // The handle to pass to a kernel. Valid as long as the storage lives.
  grid_barrier<Algorithm> barrier() const noexcept { return grid_barrier<Algorithm>(state_.data()); }

  // Makes the storage usable again after a launch that was aborted between arrive and wait. Queued in s.
  void reset(stream const& s) { state_.fill_bytes(s, 0); }

 private:
  buffer<grid_barrier_state> state_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
