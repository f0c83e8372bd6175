// The block's barrier in two halves.
#include "support.hpp"

namespace {

// In each round every thread publishes a value in shared and one in global memory, arrives, works for itself, waits,
// and reads what another one published. Plain barriers stand between the rounds, pairs or not.
FERMATA_KERNEL exchange_places(unsigned* global, unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    tile[rank] = test::mix(round * 1024 + rank);
    global[rank] = test::mix(round * 2048 + rank);
    auto const token = block.arrive();
    unsigned const other = (rank + round * 37) % threads;
    unsigned const in_tile = test::mix(round * 1024 + other), in_global = test::mix(round * 2048 + other);
    block.wait(token);
    mismatches += (tile[other] != in_tile) + (global[other] != in_global);
    if (round % 2 == 0)
      block.sync();
    else
      block.wait(block.arrive());
  }
  wrong[rank] = mismatches;
}

// A leader's release behind the wait covers what all threads of its block did before their arrival.
FERMATA_KERNEL leader_publishes(unsigned* data, unsigned* flag, unsigned* wrong, unsigned rounds) {
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  bool const publisher = fm::this_grid().block_rank() == 0;
  fm::device_atomic_ref<unsigned> const announced(*flag);
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const page = data + (round - 1) * threads;
    if (publisher) {
      page[rank] = test::mix(round * 1024 + rank);
      block.wait(block.arrive());
      if (rank == 0) announced.store(round, fm::memory_order_release);
    } else {
      if (rank == 0)
        while (announced.load(fm::memory_order_acquire) < round) {
        }
      block.wait(block.arrive());
      unsigned const other = (rank + round) % threads;
      mismatches += page[other] != test::mix(round * 1024 + other);
    }
  }
  if (!publisher) wrong[rank] = mismatches;
}

std::vector<unsigned> zeros(unsigned count) { return std::vector<unsigned>(count, 0u); }

}  // namespace

TEST_SUITE("block") {
  TEST_CASE("arrive and wait make shared and global memory visible") {
    for (unsigned threads : {1u, 31u, 32u, 33u, 64u, 96u, 256u, 1000u, 1024u}) {
      CAPTURE(threads);
      auto global = test::filled<unsigned>(threads), wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, exchange_places, global.data(), wrong.data(), 30u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("arrive and wait are cumulative") {
    constexpr unsigned rounds = 50;
    for (unsigned threads : {1u, 33u, 256u}) {
      CAPTURE(threads);
      auto data = test::filled<unsigned>(rounds * threads), flag = test::filled<unsigned>(1);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run_cooperative({2, threads}, leader_publishes, data.data(), flag.data(), wrong.data(), rounds);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }
}
