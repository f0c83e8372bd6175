// The grid barrier without read-modify-writes: block 0 gathers, then says go. After Xiao and Feng, "Inter-block GPU
// communication via fast barrier synchronization" (IPDPS 2010).
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 `go`, the number of crossings that are over; from 1 on a slot for each block: its last arrival.
//
// The number of a crossing is go + 1, read before the arrival. Block 0 advances `go` only when every slot has that
// number, so `go` cannot move between the read and the arrival, and whoever waited for the crossing before has seen its
// number in `go`. So a block needs no memory of its own: it may take part in one launch and not in the next. All
// comparisons are for equality, so that the numbers wrap around; a slot that was not written for exactly 2^32 crossings
// would be taken for an arrival.
//
// Order   Four steps, all at device scope; each is needed.
//   a block's leader  its block's barrier → slot := number, releasing, which covers the block
//   block 0           a thread reads the slot, relaxed → acquires by a fence, once for all of its slots → the block's
//                     barrier hands that to the leader → go := number, releasing: what it acquired is covered, too
//   a block's leader  reads `go`, acquiring → its block's barrier
// Block 0 itself leaves behind its own barrier: every thread has what any thread acquired.
template <>
struct grid_algorithm<gather_scatter> {
  static constexpr char const* name = "gather_scatter";
  static constexpr bool splits = true;
  static constexpr std::size_t lines(unsigned most) noexcept { return 1 + lines_of_slots(most); }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    grid_barrier_token token{0, 0};
    // Before the barrier, so that the two latencies overlap.
    if (leads_block()) token.seen = relaxed_load(lines[0].words[0]) + 1;
    this_block().sync();
    if (leads_block()) {
      watch.arriving();
      device_atomic_ref<std::uint32_t>(slot_of(lines + 1, block_rank())).store(token.seen, memory_order_release);
    }
    token.arrival = backend::cycle_stamp();
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    std::uint32_t& go = lines[0].words[0];
    if (block_rank() == 0) {
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      gather(lines, watch);
      if (leads_block()) device_atomic_ref<std::uint32_t>(go).store(token.seen, memory_order_release);
    } else {
      if (leads_block()) {
        backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
        watch.template await<std::memory_order_acquire>(
            &go, [number = token.seen](std::uint32_t seen) { return seen == number; });
      }
      this_block().sync();
    }
  }

 private:
  template <class Watch>
  FERMATA_DEVICE static void gather(grid_barrier_line* lines, Watch const& watch) noexcept {
    unsigned const first = this_block().thread_rank(), step = this_block().size(), blocks = num_blocks();
    if (first < blocks) {
      // Only the leader's token has the number. `go` still has the one before: the leader stored it before the barrier
      // in arrive, and stores the next behind the barrier below.
      std::uint32_t const number = relaxed_load(lines[0].words[0]) + 1;
      for (unsigned block = first; block < blocks; block += step)
        watch.template await<std::memory_order_relaxed>(&slot_of(lines + 1, block),
                                                        [number](std::uint32_t seen) { return seen == number; });
      backend::atomic_thread_fence<thread_scope::device, std::memory_order_acquire>();
    }
    this_block().sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
