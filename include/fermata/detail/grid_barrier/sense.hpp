// The grid barrier of one word whose top bit each crossing flips: that of CUDA's cooperative groups.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 the word.
//
// Block 0 adds 2^31 - (blocks - 1) and every other block 1, so that each crossing adds exactly 2^31, whatever the grid:
// between crossings the low 31 bits are 0, and the next launch may have any other number of blocks. They reach 2^31,
// and flip the top bit, with the last arrival and not before. A waiter cannot miss the flip: the next one needs its
// own next arrival.
//
// Order   as in monotonic: releasing arrivals, one release sequence, an acquiring wait.
template <>
struct grid_algorithm<sense> {
  static constexpr char const* name = "sense";
  static constexpr bool splits = true;
  static constexpr bool own_sync = false;
  static constexpr std::uint32_t top_bit = 1u << 31;
  static constexpr std::size_t lines(unsigned) noexcept { return 1; }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (leads_block()) {
      watch.arriving();
      std::uint32_t const amount = block_rank() == 0 ? top_bit - (num_blocks() - 1) : 1;
      token.seen = device_atomic_ref<std::uint32_t>(lines->words[0]).fetch_add(amount, memory_order_release);
      token.arrival = backend::cycle_stamp();
    }
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (leads_block()) {
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      // The token's low bits are the arrivals before its own; its top bit is that of the whole crossing.
      watch.template await<std::memory_order_acquire>(
          &lines->words[0], [old = token.seen](std::uint32_t seen) { return ((seen ^ old) & top_bit) != 0; });
    }
    this_block().sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
