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

// Eight: about as many arrivals as pay for the hop that a second level is.
inline constexpr unsigned barrier_group_size = 8;

// Groups of neighbours.
FERMATA_FN constexpr barrier_group barrier_group_of(unsigned block, unsigned blocks) noexcept {
  constexpr unsigned size = barrier_group_size;
  unsigned const group = block / size, behind = blocks - group * size;
  return {group, (blocks + size - 1) / size, block % size, behind < size ? behind : size};
}

constexpr std::size_t most_barrier_groups(unsigned blocks) noexcept {
  return (blocks + barrier_group_size - 1) / barrier_group_size;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
