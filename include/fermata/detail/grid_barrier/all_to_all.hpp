// The grid barrier in which every block hears from every block: one hop, no read-modify-write, blocks² polls.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/crossing_number.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: those of crossing_number, whose slots are the flags.
//
// Order   A block's barrier, then its leader's releasing store of the number, which covers the block. A thread of
//         another block reads that slot, relaxed, and acquires by a fence behind all of its slots: fence and store
//         synchronise, as the store released and the read came before the fence. Each thread that polled needs its own
//         fence. The block's barrier hands what each thread acquired to all of them.
template <>
struct grid_algorithm<all_to_all> {
  static constexpr char const* name = "all_to_all";
  static constexpr bool splits = true;
  static constexpr std::size_t lines(unsigned most) noexcept { return crossing_number::lines(most); }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    // Each thread finds out for itself, as each may poll. Their own block's slot was stored before the barrier that
    // ended the crossing before, and is stored again behind the next barrier.
    grid_barrier_token token{crossing_number::next(lines), 0};
    this_block().sync();
    if (leads_block()) {
      watch.arriving();
      device_atomic_ref<std::uint32_t> const slot(crossing_number::slot(lines, block_rank()));
      slot.store(token.seen, memory_order_release);
    }
    token.arrival = backend::cycle_stamp();
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    unsigned const first = this_block().thread_rank(), step = this_block().size(), blocks = num_blocks();
    if (first < blocks) {
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(blocks));
      unsigned const mine = block_rank();
      for (unsigned block = first; block < blocks; block += step)
        // Of its own block a thread knows it, and the one that has stored its slot may be a lane of the same wave.
        if (block != mine)
          watch.template await<std::memory_order_relaxed>(
              &crossing_number::slot(lines, block),
              [number = token.seen](std::uint32_t seen) { return crossing_number::has_arrived(seen, number); });
      backend::atomic_thread_fence<thread_scope::device, std::memory_order_acquire>();
    }
    this_block().sync();
    if (block_rank() == 0 && leads_block()) crossing_number::crossed(lines, token.seen);
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
