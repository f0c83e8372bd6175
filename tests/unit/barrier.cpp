// The barrier with storage: phases that carry data, tokens, completions, drops; in a block and between blocks.
#include "support.hpp"

namespace {

using block_barrier = fm::barrier<fm::thread_scope_block>;
// The same class with wider scope: on every backend made of atomics, which a block's barrier need not be.
using wide_barrier = fm::barrier<fm::thread_scope_device>;

// In each round every thread leaves a value and reads that of another, through plain memory. Two phases a round: one
// until all values are there, one until all have been read. With `split`, a thread works between arriving and waiting.
template <class Barrier>
FERMATA_KERNEL exchange_places(unsigned* wrong, unsigned rounds, bool split) {
  FERMATA_SHARED(barrier, Barrier);
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  if (rank == 0) barrier.init(threads);
  block.sync();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    tile[rank] = test::mix(round * 1024 + rank);
    unsigned const other = (rank + round * 37) % threads;
    if (split) {
      auto const token = barrier.arrive();
      unsigned const expected = test::mix(round * 1024 + other);
      barrier.wait(token);
      mismatches += tile[other] != expected;
      barrier.wait(barrier.arrive());
    } else {
      barrier.arrive_and_wait();
      mismatches += tile[other] != test::mix(round * 1024 + other);
      barrier.arrive_and_wait();
    }
  }
  wrong[rank] = mismatches;
}

// One lane of each wave arrives for all of them.
template <class Barrier>
FERMATA_KERNEL arrive_for_the_wave(unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(barrier, Barrier);
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  auto const wave = fm::this_wave();
  unsigned const rank = block.thread_rank(), threads = block.size(), live = wave.live();
  if (rank == 0) barrier.init(threads);
  block.sync();
  unsigned mismatches = 0;
  for (unsigned phase = 0; phase < 2 * rounds; ++phase) {
    if (phase % 2 == 0) tile[rank] = phase * 1024 + rank;
    wave.sync();
    if (wave.elect()) barrier.wait(barrier.arrive(live));
    wave.sync();
    unsigned const other = (rank + phase * 41 + 33) % threads;
    if (phase % 2 == 0) mismatches += tile[other] != phase * 1024 + other;
  }
  wrong[rank] = mismatches;
}

// The last thread to arrive adds up what all have left.
struct add_up {
  unsigned* tile;
  unsigned threads;
  unsigned *total, *runs;
  FERMATA_DEVICE void operator()() const {
    // By two loads that must agree: on the host the second lets others run, who must not get on before all is added.
    unsigned sum = 0;
    for (unsigned i = 0; i < threads; ++i) {
      fm::block_atomic_ref<unsigned> const word(tile[i]);
      if (word.load(fm::memory_order_relaxed) == word.load(fm::memory_order_relaxed)) sum += tile[i];
    }
    *total = sum;
    *runs += 1;
  }
};

using completing_barrier = fm::barrier<fm::thread_scope_block, add_up>;

FERMATA_KERNEL complete_phases(unsigned* wrong, unsigned* completions, unsigned rounds) {
  FERMATA_SHARED(barrier, completing_barrier);
  FERMATA_SHARED(tile, unsigned[1024]);
  FERMATA_SHARED(total, unsigned);
  FERMATA_SHARED(runs, unsigned);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  if (rank == 0) {
    runs = 0;
    barrier.init(threads, add_up{tile, threads, &total, &runs});
  }
  block.sync();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    tile[rank] = round * rank;
    barrier.arrive_and_wait();
    mismatches += total != round * (threads * (threads - 1) / 2);
    mismatches += runs != 2 * round - 1;
    barrier.arrive_and_wait();  // the completion runs again, and changes nothing but the count
  }
  wrong[rank] = mismatches;
  if (rank == 0) *completions = runs;
}

// Wave w takes part in w + 1 rounds and then drops out: the barrier expects ever fewer. Every wave that still waits has
// the last words of the one that leaves.
template <class Barrier>
FERMATA_KERNEL waves_drop_out(unsigned* wrong) {
  FERMATA_SHARED(barrier, Barrier);
  FERMATA_SHARED(words, unsigned[2][1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), width = fm::this_wave().size(), own = rank / width;
  if (rank == 0) barrier.init(block.size());
  block.sync();
  unsigned mismatches = 0;
  for (unsigned round = 0; round < own; ++round) {
    words[round % 2][rank] = round * 2048 + rank;
    barrier.arrive_and_wait();
    // All of the waves `round` and up have written; the next round writes elsewhere.
    for (unsigned other = round * width; other < block.size(); other += 7)
      mismatches += words[round % 2][other] != round * 2048 + other;
  }
  words[own % 2][rank] = own * 2048 + rank;
  barrier.arrive_and_drop();
  wrong[rank] = mismatches;
}

// Tokens and counts, step by step, by one thread; in shared memory unless a place is given.
template <class Barrier>
FERMATA_KERNEL count_arrivals(Barrier* place, unsigned* wrong) {
  FERMATA_SHARED(shared, Barrier);
  Barrier* const barrier = place != nullptr ? place : &shared;
  unsigned mismatches = 0;
  barrier->init(3);
  for (unsigned phase = 0; phase < 5; ++phase) {
    auto const first = barrier->arrive();
    mismatches += barrier->try_wait(first);
    auto const second = barrier->arrive(2);
    mismatches += !barrier->try_wait(first) + !barrier->try_wait(second);
    barrier->wait(first);
    barrier->wait(second);
    // A token is good until the end of the next phase.
    auto const third = barrier->arrive(2);
    mismatches += !barrier->try_wait(first) + barrier->try_wait(third);
    auto const fourth = barrier->arrive(1);
    mismatches += !barrier->try_wait(third) + !barrier->try_wait(fourth);
  }
  barrier->arrive_and_drop();  // this phase still needs two
  auto const two_left = barrier->arrive();
  mismatches += barrier->try_wait(two_left);
  barrier->arrive_and_drop();  // ends the phase; from here on one is enough
  mismatches += !barrier->try_wait(two_left);
  for (unsigned phase = 0; phase < 3; ++phase) mismatches += !barrier->try_wait(barrier->arrive());

  // As many as a barrier can count.
  barrier->init(Barrier::max_count());
  for (unsigned phase = 0; phase < 3; ++phase) {
    auto const most = barrier->arrive(Barrier::max_count() - 1);
    mismatches += barrier->try_wait(most);
    auto const last = barrier->arrive();
    mismatches += !barrier->try_wait(most) + !barrier->try_wait(last);
  }
  *wrong = mismatches;
}

// Wave 0 produces, the others consume, with two buffers and two barriers each, so that
// nobody waits where it only has to tell.
template <class Barrier>
FERMATA_KERNEL produce_and_consume(unsigned* wrong, unsigned rounds, bool poll) {
  FERMATA_SHARED(ready, Barrier[2]);
  FERMATA_SHARED(filled, Barrier[2]);
  FERMATA_SHARED(buffer, unsigned[2][64]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), width = fm::this_wave().size();
  if (rank < 2) {
    ready[rank].init(block.size());
    filled[rank].init(block.size());
  }
  block.sync();
  unsigned mismatches = 0;
  if (rank < width) {
    for (unsigned round = 0; round < rounds; ++round) {
      ready[round % 2].arrive_and_wait();
      buffer[round % 2][rank] = test::mix(round * 64 + rank);
      (void)filled[round % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    for (unsigned round = 0; round < rounds; ++round) {
      auto const token = filled[round % 2].arrive();
      if (poll) {
        while (!filled[round % 2].try_wait(token)) {
        }
      } else {
        filled[round % 2].wait(token);
      }
      unsigned const other = (rank * 5 + round) % width;
      mismatches += buffer[round % 2][other] != test::mix(round * 64 + other);
      (void)ready[round % 2].arrive();
    }
  }
  wrong[rank] = mismatches;
}

// Two waves take turns: each round one of them writes. More rounds than the phase can count.
template <class Barrier>
FERMATA_KERNEL take_turns(unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(barrier, Barrier);
  FERMATA_SHARED(word, unsigned);
  auto const block = fm::this_block();
  unsigned const own = block.thread_rank() / fm::this_wave().size();
  if (block.thread_rank() == 0) barrier.init(2);
  block.sync();
  if (!fm::this_wave().elect()) return;
  unsigned mismatches = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    if (round % 2 == own) word = round;
    barrier.arrive_and_wait();
    mismatches += word != round;
    barrier.arrive_and_wait();
  }
  wrong[own] = mismatches;
}

template <class Barrier>
FERMATA_KERNEL init_barrier(Barrier* barrier, unsigned expected) {
  barrier->init(expected);
}

// Every thread of the grid arrives, or one for each block.
template <class Barrier>
FERMATA_KERNEL exchange_between_blocks(Barrier* barrier, unsigned* data, unsigned* wrong, unsigned rounds,
                                       bool leaders) {
  auto const block = fm::this_block();
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  unsigned mismatches = 0;
  for (unsigned phase = 0; phase < 2 * rounds; ++phase) {
    if (phase % 2 == 0) data[rank] = test::mix(phase * 4096 + rank);
    if (leaders) {
      block.sync();
      if (block.thread_rank() == 0) barrier->arrive_and_wait();
      block.sync();
    } else {
      barrier->arrive_and_wait();
    }
    unsigned const other = (rank + phase * 97 + block.size()) % threads;
    if (phase % 2 == 0) mismatches += data[other] != test::mix(phase * 4096 + other);
  }
  wrong[rank] = mismatches;
}

std::vector<unsigned> sizes() { return {1, 31, 32, 33, 64, 96, 256, 1000, 1024}; }
std::vector<unsigned> zeros(unsigned count) { return std::vector<unsigned>(count, 0u); }

}  // namespace

TYPE_TO_STRING(block_barrier);
TYPE_TO_STRING(wide_barrier);

TEST_SUITE("barrier") {
  TEST_CASE_TEMPLATE("every phase makes all threads' memory visible to all", Barrier, block_barrier, wide_barrier) {
    for (unsigned threads : sizes())
      for (bool split : {false, true}) {
        CAPTURE(threads);
        CAPTURE(split);
        auto wrong = test::filled<unsigned>(threads, 0xFF);
        test::run({1, threads}, exchange_places<Barrier>, wrong.data(), 20u, split);
        CHECK(test::difference(wrong, zeros(threads)) == "");
      }
  }

  TEST_CASE_TEMPLATE("one lane arrives for its wave", Barrier, block_barrier, wide_barrier) {
    for (unsigned threads : sizes()) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, arrive_for_the_wave<Barrier>, wrong.data(), 20u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("the completion runs once a phase, after all arrivals and before all waits end") {
    for (unsigned threads : sizes()) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF), completions = test::filled<unsigned>(1);
      test::run({1, threads}, complete_phases, wrong.data(), completions.data(), 10u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
      CHECK(test::difference(completions, std::vector<unsigned>{20}) == "");
    }
  }

  TEST_CASE_TEMPLATE("arrive_and_drop: later phases expect fewer", Barrier, block_barrier, wide_barrier) {
    for (unsigned threads : sizes()) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, waves_drop_out<Barrier>, wrong.data());
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE_TEMPLATE("tokens and counts, in shared memory and in a buffer", Barrier, block_barrier, wide_barrier) {
    fm::buffer<Barrier> place(test::gpu(), 1);
    for (Barrier* const where : {static_cast<Barrier*>(nullptr), place.data()}) {
      CAPTURE(where);
      auto wrong = test::filled<unsigned>(1, 0xFF);
      test::run({1, 1}, count_arrivals<Barrier>, where, wrong.data());
      CHECK(test::difference(wrong, zeros(1)) == "");
    }
    CHECK(Barrier::max_count() >= (1u << 20) - 1);
    CHECK(sizeof(Barrier) == 8);
  }

  TEST_CASE_TEMPLATE("producers and consumers wait only for each other", Barrier, block_barrier, wide_barrier) {
    for (unsigned waves : {2u, 3u, 8u})
      for (bool poll : {false, true}) {
        unsigned const threads = waves * test::wave_size();
        CAPTURE(threads);
        CAPTURE(poll);
        auto wrong = test::filled<unsigned>(threads, 0xFF);
        test::run({1, threads}, produce_and_consume<Barrier>, wrong.data(), 60u, poll);
        CHECK(test::difference(wrong, zeros(threads)) == "");
      }
  }

  TEST_CASE_TEMPLATE("more phases than a phase number can count", Barrier, block_barrier, wide_barrier) {
    auto wrong = test::filled<unsigned>(2, 0xFF);
    test::run({1, 2 * test::wave_size()}, take_turns<Barrier>, wrong.data(), 34'000u);  // 68,000 phases
    CHECK(test::difference(wrong, zeros(2)) == "");
  }

  TEST_CASE("between resident blocks") {
    for (unsigned blocks : {1u, 2u, 5u, 8u})
      for (unsigned threads : {33u, 128u})
        for (bool leaders : {true, false}) {
          CAPTURE(blocks);
          CAPTURE(threads);
          CAPTURE(leaders);
          fm::buffer<wide_barrier> barrier(test::gpu(), 1);
          unsigned const count = blocks * threads;
          auto data = test::filled<unsigned>(count), wrong = test::filled<unsigned>(count, 0xFF);
          test::run({1, 1}, init_barrier<wide_barrier>, barrier.data(), leaders ? blocks : count);
          test::run_cooperative({blocks, threads}, exchange_between_blocks<wide_barrier>, barrier.data(), data.data(),
                                wrong.data(), 20u, leaders);
          CHECK(test::difference(wrong, zeros(count)) == "");
        }
  }
}
