// The number of a crossing, for barriers that have no word that tells it.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 `over`, the number of the last crossing that is over, written by block 0; from 1 on a slot for each block:
// the number of its last arrival.
//
// A block that arrives must know which number its crossing has. Its own slot does not tell, as it may not have taken
// part in the launches before; `over` alone does not tell either, as block 0 writes it after it has crossed, while
// others run ahead. The two together do. Let the block be about to arrive at the crossing with number k + 1.
//   It has arrived at k in this launch. Then its slot holds k. `over` holds k or k - 1: block 0 wrote k - 1 before it
//     arrived at k, which the block has waited for; and it cannot write k + 1 before the block has arrived there.
//   It has not. Then this is the first crossing of the launch: `over` holds k, and the slot a number up to k, from an
//     earlier launch.
// So the slot is one ahead of `over` only where block 0 is late, and then the slot is right; otherwise `over` is. These
// are tests for equality, so that the numbers wrap around. (A block that sits out exactly 2^32 - 1 crossings in a row,
// and comes back then, would be mistaken. That is an hour of nothing but crossings.)
struct crossing_number {
  static constexpr std::size_t lines(unsigned most) noexcept { return 1 + lines_of_slots(most); }

  FERMATA_DEVICE static std::uint32_t& slot(grid_barrier_line* lines, unsigned block) noexcept {
    return slot_of(lines + 1, block);
  }

  // For any thread of the block, before the block arrives.
  FERMATA_DEVICE static std::uint32_t next(grid_barrier_line* lines) noexcept {
    std::uint32_t const own = relaxed_load(slot(lines, block_rank())), over = relaxed_load(lines[0].words[0]);
    return (own == over + 1 ? own : over) + 1;
  }

  // Whether a block whose slot holds `seen` has arrived at crossing `number`, at which the caller has arrived and which
  // it has not left: the other block may be one crossing ahead, no more.
  FERMATA_DEVICE static bool has_arrived(std::uint32_t seen, std::uint32_t number) noexcept {
    return seen - number <= 1;
  }

  // For the leader of block 0, when it has crossed.
  FERMATA_DEVICE static void crossed(grid_barrier_line* lines, std::uint32_t number) noexcept {
    relaxed_store(lines[0].words[0], number);
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
