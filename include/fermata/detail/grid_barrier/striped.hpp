// The grid barrier of several words that only grow, for grids so large that arrivals at one word queue up.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/wave.hpp>
#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: the words, one a stripe, 4 KiB apart, so that they belong to different parts of the L2 cache.
//
// A block arrives at one word, and a thread for each word waits until it is full. An arrival finds out the number of
// the crossing from its own word, so all words have to count crossings alike, those at which no block arrives, too:
// block 0 adds to each what the other blocks leave of the quantum.
//
// Order   As in one_word_barrier, for each word. Block 0 releases at all of them. Every waiting thread acquires its
//         word, so together the block's threads have what all blocks did, and the block's barrier hands it on.
template <>
struct grid_algorithm<striped> {
  static constexpr char const* name = "striped";
  static constexpr bool splits = true;
  static constexpr unsigned stripes = 4, lines_apart = 32;
  static constexpr std::size_t lines(unsigned) noexcept { return (stripes - 1) * lines_apart + 1; }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    unsigned const block = block_rank();
    if (leads_block()) watch.arriving();
    if (block == 0) {
      for (unsigned s = this_block().thread_rank(); s < stripes; s += this_block().size()) {
        std::uint32_t const old = add(lines, s, arrival_count::quantum - others(s, num_blocks()));
        if (s == 0) token.seen = old;
      }
    } else if (leads_block()) {
      token.seen = add(lines, block % stripes, 1);
    }
    token.arrival = backend::cycle_stamp();
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    unsigned const rank = this_block().thread_rank();
    if (rank < backend::wave_size()) {
      backend::wait_until(token.arrival, backend::striped_grid_barrier_first_poll(num_blocks()));
      // What the leader's arrival returned; the whole first wave is here.
      std::uint32_t const old = backend::wave_broadcast(token.seen, 0u);
      for (unsigned s = rank; s < stripes; s += this_block().size())
        watch.template await<std::memory_order_acquire>(
            &lines[s * lines_apart].words[0], [old](std::uint32_t seen) { return arrival_count::is_over(old, seen); });
    }
    this_block().sync();
  }

 private:
  FERMATA_DEVICE static std::uint32_t add(grid_barrier_line* lines, unsigned stripe, std::uint32_t amount) noexcept {
    std::uint32_t& word = lines[stripe * lines_apart].words[0];
    return device_atomic_ref<std::uint32_t>(word).fetch_add(amount, memory_order_release);
  }
  // The blocks other than block 0 that arrive at a stripe.
  FERMATA_DEVICE static std::uint32_t others(unsigned stripe, unsigned blocks) noexcept {
    return (blocks + stripes - 1 - stripe) / stripes - (stripe == 0);
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
