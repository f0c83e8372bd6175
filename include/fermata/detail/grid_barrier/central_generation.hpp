// The textbook's grid barrier: a count, and a generation word.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 the arrivals, which are counted from 0 in each crossing; 1 the generation.
template <>
struct grid_algorithm<central_generation> {
  static constexpr char const* name = "central_generation";
  static constexpr bool splits = true;
  static constexpr std::size_t lines(unsigned) noexcept { return 2; }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    this_block().sync();
    grid_barrier_token token{0, 0};
    if (leads_block()) {
      watch.arriving();
      device_atomic_ref<std::uint32_t> arrived(lines[0].words[0]), generation(lines[1].words[0]);
      // Sampled before the arrival: after it, the last block may already have moved on.
      token.seen = generation.load(memory_order_relaxed);
      // acq_rel, so that the last arriver has seen what all others did before it publishes the new generation.
      if (arrived.fetch_add(1, memory_order_acq_rel) == num_blocks() - 1) {
        arrived.store(0, memory_order_relaxed);
        generation.fetch_add(1, memory_order_release);
      }
    }
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (leads_block())
      watch.template await<std::memory_order_acquire>(&lines[1].words[0],
                                                      [old = token.seen](std::uint32_t seen) { return seen != old; });
    this_block().sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
