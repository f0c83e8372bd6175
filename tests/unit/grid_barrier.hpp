// What the tests of the grid barrier share: kernels whose every crossing carries data, and the grids they run on.
#pragma once

#include <algorithm>

#include "support.hpp"

TYPE_TO_STRING(fermata::monotonic);
TYPE_TO_STRING(fermata::central_generation);
TYPE_TO_STRING(fermata::striped);
TYPE_TO_STRING(fermata::automatic);
TYPE_TO_STRING(fermata::sense);
TYPE_TO_STRING(fermata::gather_scatter);
TYPE_TO_STRING(fermata::all_to_all);
TYPE_TO_STRING(fermata::hierarchical);
TYPE_TO_STRING(fermata::combining);
TYPE_TO_STRING(fermata::cooperative);

namespace test {

// Before each crossing every thread writes a plain value, after it every thread reads those of several others: of the
// next thread, the next block, and of one far away. Two halves take turns, so that one crossing a round is enough.
// Blocks are late by up to 6 times `skew` loads, another one in each round.
template <class Barrier>
FERMATA_KERNEL crossings(Barrier barrier, unsigned* data, unsigned* wrong, unsigned rounds, unsigned skew) {
  auto const grid = fm::this_grid();
  unsigned const rank = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  unsigned const block = fm::this_block().size();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const half = data + (round & 1) * threads;
    for (unsigned i = (grid.block_rank() * 5 + round) % 7 * skew; i > 0; --i)
      mismatches += fm::device_atomic_ref<unsigned>(wrong[rank]).load(fm::memory_order_relaxed);
    half[rank] = mix(round * 65537 + rank);
    barrier.sync();
    for (unsigned step : {1u, block, threads - 1, threads / 2 + 1, round * 7919}) {
      unsigned const other = (rank + step) % threads;
      mismatches += half[other] != mix(round * 65537 + other);
    }
  }
  wrong[rank] += mismatches;
}

template <class... P>
unsigned most_blocks(void (*kernel)(P...), unsigned threads) {
  return static_cast<unsigned>(fm::max_resident_blocks(gpu(), kernel, threads));
}

// Grids of one block up to all that fit, with the sizes around which counting goes wrong.
inline std::vector<unsigned> grid_sizes(unsigned most) {
  std::vector<unsigned> sizes;
  for (unsigned n : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 13u, 16u, 31u, 33u, 64u, 100u, 132u, 264u, most - 1, most})
    if (n >= 1 && n <= most) sizes.push_back(n);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

template <class Barrier>
void check_crossings(Barrier barrier, fm::launch_config const& config, unsigned rounds, unsigned skew = 0) {
  unsigned const blocks = config.grid.count(), threads = blocks * config.block.count();
  CAPTURE(blocks);
  CAPTURE(threads);
  auto data = filled<unsigned>(2 * threads), wrong = filled<unsigned>(threads);
  run_cooperative(config, crossings<Barrier>, barrier, data.data(), wrong.data(), rounds, skew);
  CHECK(difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
}

}  // namespace test
