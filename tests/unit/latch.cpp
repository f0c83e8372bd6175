// The latch: everybody's memory is there when the count has reached zero; in a block and between blocks.
#include "support.hpp"

namespace {

using block_latch = fm::latch<fm::thread_scope_block>;
using device_latch = fm::latch<fm::thread_scope_device>;

FERMATA_KERNEL meet_at_latch(unsigned* wrong) {
  FERMATA_SHARED(latch, block_latch);
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  unsigned mismatches = 0;
  // Again and again: the latch is good for one use between two barriers.
  for (unsigned round = 1; round <= 5; ++round) {
    if (rank == 0) latch.init(threads);
    tile[rank] = 0;
    block.sync();
    tile[rank] = test::mix(round * 1024 + rank);
    latch.arrive_and_wait();
    unsigned const other = (rank + round * 35) % threads;
    mismatches += tile[other] != test::mix(round * 1024 + other) || !latch.try_wait();
    block.sync();
  }
  wrong[rank] = mismatches;
}

// Wave 0 waits, by waiting or by looking again and again; the others count down and do not wait, each wave for its
// number of lanes at once.
FERMATA_KERNEL wait_for_others(unsigned* wrong, bool poll) {
  FERMATA_SHARED(latch, block_latch);
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  auto const wave = fm::this_wave();
  unsigned const rank = block.thread_rank(), width = wave.size(), threads = block.size();
  if (rank == 0) latch.init(threads - width);
  block.sync();
  unsigned mismatches = 0;
  if (rank >= width) {
    tile[rank] = test::mix(rank);
    wave.sync();
    if (wave.elect()) latch.count_down(wave.live());
  } else {
    if (poll) {
      while (!latch.try_wait()) {
      }
    } else {
      latch.wait();
    }
    for (unsigned other = width + rank; other < threads; other += width)
      mismatches += tile[other] != test::mix(other);
  }
  wrong[rank] = mismatches;
}

FERMATA_KERNEL count_by_one_thread(unsigned* wrong) {
  FERMATA_SHARED(latch, block_latch);
  unsigned mismatches = 0;
  latch.init(5);
  mismatches += latch.try_wait();
  latch.count_down();
  mismatches += latch.try_wait();
  latch.count_down(3);
  mismatches += latch.try_wait();
  latch.arrive_and_wait();
  mismatches += !latch.try_wait();
  latch.wait();
  latch.init(latch.max_count());
  latch.count_down(latch.max_count() - 1);
  mismatches += latch.try_wait();
  latch.arrive_and_wait();
  latch.init(0);
  latch.wait();
  *wrong = mismatches;
}

FERMATA_KERNEL init_latch(device_latch* latch, unsigned expected) { latch->init(expected); }

FERMATA_KERNEL gather_blocks(device_latch* latch, unsigned* data, unsigned* wrong) {
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  data[rank] = test::mix(rank + 1);
  latch->arrive_and_wait();
  unsigned mismatches = 0;
  for (unsigned other = rank % 5; other < threads; other += 5) mismatches += data[other] != test::mix(other + 1);
  wrong[rank] = mismatches;
}

std::vector<unsigned> zeros(unsigned count) { return std::vector<unsigned>(count, 0u); }

}  // namespace

TEST_SUITE("latch") {
  TEST_CASE("all threads of a block meet") {
    for (unsigned threads : {1u, 31u, 32u, 33u, 64u, 96u, 256u, 1024u}) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, meet_at_latch, wrong.data());
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("one wave waits for the others, who go on") {
    for (unsigned waves : {1u, 2u, 3u, 8u})
      for (bool poll : {false, true}) {
        unsigned const threads = waves * test::wave_size();
        CAPTURE(threads);
        CAPTURE(poll);
        auto wrong = test::filled<unsigned>(threads, 0xFF);
        test::run({1, threads}, wait_for_others, wrong.data(), poll);
        CHECK(test::difference(wrong, zeros(threads)) == "");
      }
  }

  TEST_CASE("the count, step by step") {
    auto wrong = test::filled<unsigned>(1, 0xFF);
    test::run({1, 1}, count_by_one_thread, wrong.data());
    CHECK(test::difference(wrong, zeros(1)) == "");
  }

  TEST_CASE("between resident blocks") {
    for (unsigned blocks : {1u, 2u, 7u})
      for (unsigned threads : {33u, 128u}) {
        CAPTURE(blocks);
        CAPTURE(threads);
        unsigned const count = blocks * threads;
        fm::buffer<device_latch> latch(test::gpu(), 1);
        auto data = test::filled<unsigned>(count), wrong = test::filled<unsigned>(count, 0xFF);
        test::run({1, 1}, init_latch, latch.data(), count);
        test::run_cooperative({blocks, threads}, gather_blocks, latch.data(), data.data(), wrong.data());
        CHECK(test::difference(wrong, zeros(count)) == "");
      }
  }
}
