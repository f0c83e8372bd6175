// How the hierarchical grid barrier divides the blocks of a grid into groups.
#pragma once

#include <cstddef>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// The place of a block. Groups are numbered from 0, and so are the members of each; no group is empty. It follows from
// the block's rank and the number of blocks alone, so that all blocks agree on it.
struct barrier_group {
  unsigned group, groups;
  unsigned member, members;
};

// Eight: about as many arrivals as pay for the hop that a second level is, and the XCDs of an MI300X.
inline constexpr unsigned barrier_group_size = 8;

// Groups of neighbours.
FERMATA_FN constexpr barrier_group neighbouring_barrier_group(unsigned block, unsigned blocks) noexcept {
  constexpr unsigned size = barrier_group_size;
  unsigned const group = block / size, behind = blocks - group * size;
  return {group, (blocks + size - 1) / size, block % size, behind < size ? behind : size};
}

// A fixed number of groups, to which the blocks are dealt in turn.
FERMATA_FN constexpr barrier_group dealt_barrier_group(unsigned block, unsigned blocks) noexcept {
  constexpr unsigned groups = barrier_group_size;
  unsigned const group = block % groups;
  return {group, blocks < groups ? blocks : groups, block / groups, (blocks - group + groups - 1) / groups};
}

// Groups of the larger kind for grids of up to `blocks`.
constexpr std::size_t most_barrier_groups(unsigned blocks) noexcept {
  return blocks / barrier_group_size + barrier_group_size;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
