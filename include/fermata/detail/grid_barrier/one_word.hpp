// The grid barriers of one word, which differ in how far a crossing advances it.
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
template <class Count>
struct one_word_barrier {
  static constexpr bool splits = true;
  static constexpr std::size_t busiest_line = 0;
  static constexpr std::size_t lines(unsigned) noexcept { return 1; }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    std::uint32_t const amount = backend::ahead(Count::amount(block_rank(), num_blocks()));
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (leads_block()) {
      watch.arriving();
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
      // it uses token.seen, so that the arrival's way back is spent in the same delay and not before it.
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      watch.template await<std::memory_order_acquire>(
          &lines->words[0], [old = token.seen](std::uint32_t seen) { return Count::is_over(old, seen); });
    }
    this_block().sync();
  }
};

// Its word counts crossings in the upper 8 bits.
template <>
struct grid_algorithm<monotonic> : one_word_barrier<arrival_count> {
  static constexpr char const* name = "monotonic";
};

// Its word has one bit for the crossing, the top one, which each flips: that of CUDA's cooperative groups.
template <>
struct grid_algorithm<sense> : one_word_barrier<arrivals<1u << 31>> {
  static constexpr char const* name = "sense";
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
