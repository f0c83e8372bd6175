// Store buffering: x = 1; r = y against y = 1; r = x. In a total order of all four not both can see 0.
#pragma once

#include <vector>

#include "support.hpp"

namespace test {

// What one of two blocks does. `pair(mine, other)` stores 1 to its own word and returns what it sees of the other.
template <class Pair>
FERMATA_DEVICE void store_buffering(unsigned* x, unsigned* y, unsigned* meeting, unsigned* seen, unsigned* idle,
                                    unsigned rounds, Pair pair) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const me = fm::this_grid().block_rank();
  fm::device_atomic_ref<unsigned> const met(*meeting);
  unsigned work = me;
  for (unsigned round = 0; round < rounds; ++round) {
    met.fetch_add(1, fm::memory_order_relaxed);
    while (met.load(fm::memory_order_relaxed) < 2 * (round + 1)) {
    }
    // The last to come leaves first. Now the one waits a little, now the other, so that they store at the same time.
    for (unsigned n = me == 0 ? round % 128 : 64; n > 0; --n) work = mix(work + n);
    fm::device_atomic_ref<unsigned> const mine((me == 0 ? x : y)[round]), other((me == 0 ? y : x)[round]);
    seen[me * rounds + round] = pair(mine, other);
  }
  idle[me] = work;
}

// Runs a kernel made of store_buffering on two blocks.
template <class Kernel>
void check_store_buffering(Kernel kernel) {
  constexpr unsigned rounds = 4000;
  auto x = filled<unsigned>(rounds), y = filled<unsigned>(rounds), meeting = filled<unsigned>(1);
  auto seen = filled<unsigned>(2 * rounds, 0xFF), idle = filled<unsigned>(2);
  run_cooperative({2, 32}, kernel, x.data(), y.data(), meeting.data(), seen.data(), idle.data(), rounds);
  std::vector<unsigned> const got = downloaded(seen);
  unsigned both_missed = 0, out_of_range = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    both_missed += got[i] == 0 && got[rounds + i] == 0;
    out_of_range += got[i] > 1 || got[rounds + i] > 1;
  }
  CHECK(both_missed == 0);
  CHECK(out_of_range == 0);
}

}  // namespace test
