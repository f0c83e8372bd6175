// The grid barrier of one word that only grows.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 the word.
//
// Order   A block's barrier, then its leader's releasing arrival, which covers the block. Every change of the word is a
//         read-modify-write, so its final value belongs to the release sequence of every arrival: the leader that
//         acquires it has what all blocks did, and its block's barrier hands that on.
template <>
struct grid_algorithm<monotonic> {
  static constexpr char const* name = "monotonic";
  static constexpr bool splits = true;
  static constexpr bool own_sync = false;
  static constexpr std::size_t lines(unsigned) noexcept { return 1; }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (leads_block()) {
      watch.arriving();
      unsigned const blocks = num_blocks();
      std::uint32_t const amount = arrival_count::amount(block_rank(), blocks);
      token.seen = device_atomic_ref<std::uint32_t>(lines->words[0]).fetch_add(amount, memory_order_release);
      // After the release has waited for what the block wrote; the arrival itself is on its way.
      token.arrival = backend::cycle_stamp();
    }
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (leads_block()) {
      // Polling while others still arrive is what a barrier pays for, so the first poll has its time. Nothing before
      // it uses token.seen, so that the arrival's way back is spent in the same delay and not before it: on an H200
      // that is 0.83 µs instead of 0.95 (132 blocks).
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      watch.template await<std::memory_order_acquire>(
          &lines->words[0], [old = token.seen](std::uint32_t seen) { return arrival_count::is_over(old, seen); });
    }
    this_block().sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
