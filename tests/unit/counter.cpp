// The counter: whoever has waited for a number sees what all those did who counted up to it; also around the end of its
// 32 bits.
#include "support.hpp"

namespace {

using block_counter = fm::counter<fm::thread_scope_block>;

// A count near each of the places where a comparison could go wrong.
std::vector<std::uint32_t> starts() { return {0, 5, 0x7FFFFFFEu, 0x80000000u, 0xFFFFFFF0u, 0xFFFFFFFFu}; }

FERMATA_KERNEL count_by_one_thread(fm::counter<>* counter, std::uint32_t start, unsigned* wrong) {
  unsigned mismatches = 0;
  counter->init(start);
  mismatches += counter->load() != start;
  mismatches += !counter->ready(start) || !counter->ready(start - 1) || counter->ready(start + 1);
  counter->signal();
  mismatches += counter->load() != start + 1 || !counter->ready(start + 1) || counter->ready(start + 2);
  counter->signal(5);
  mismatches += !counter->ready(start + 6) || counter->ready(start + 7);
  counter->await(start + 6);
  counter->await(start + 2);
  counter->signal(0);
  mismatches += counter->load() != start + 6;
  // As far as a count may be away.
  mismatches += !counter->ready(start + 6 - 0x7FFFFFFFu) || counter->ready(start + 6 + 0x7FFFFFFFu);
  *wrong = mismatches;
}

FERMATA_FN std::uint32_t first_value(unsigned step, unsigned thread) { return test::mix(step * 5003 + thread); }
FERMATA_FN std::uint32_t next_value(std::uint32_t left, unsigned block) { return left * 3 + block; }

// Each block passes on what the one before it has made; all threads write, one of them signals. Nothing but the
// counters keeps the blocks apart.
template <fm::thread_scope Scope>
FERMATA_KERNEL pass_along(fm::counter<Scope>* counters, std::uint32_t start, unsigned* data, unsigned steps) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned step = 0; step < steps; ++step) {
    unsigned* const mine = data + (step * blocks + block) * threads;
    if (block == 0) {
      mine[rank] = first_value(step, rank);
    } else {
      counters[block - 1].await_block(start + step + 1);
      // Written by a thread of another wave.
      mine[rank] = next_value(data[(step * blocks + block - 1) * threads + (rank + 37) % threads], block);
    }
    counters[block].signal_block();
  }
}

template <fm::thread_scope Scope>
void check_passing(unsigned blocks, unsigned threads, std::uint32_t start) {
  CAPTURE(blocks);
  CAPTURE(threads);
  CAPTURE(start);
  constexpr unsigned steps = 20;
  auto counters = test::filled<fm::counter<Scope>>(blocks);
  std::vector<std::uint32_t> const values(blocks, start);
  // A counter is its number: a buffer of them starts with what the host puts there.
  fm::buffer<std::uint32_t> bits(test::gpu(), reinterpret_cast<std::uint32_t*>(counters.data()), blocks);
  bits.upload(test::queue(), values);
  auto data = test::filled<unsigned>(steps * blocks * threads, 0xCD);
  test::run_cooperative({blocks, threads}, pass_along<Scope>, counters.data(), start, data.data(), steps);
  std::vector<unsigned> want(steps * blocks * threads);
  for (unsigned step = 0; step < steps; ++step)
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned rank = 0; rank < threads; ++rank)
        want[(step * blocks + block) * threads + rank] =
            block == 0 ? first_value(step, rank)
                       : next_value(want[(step * blocks + block - 1) * threads + (rank + 37) % threads], block);
  CHECK(test::difference(data, want) == "");
  CHECK(test::difference(test::downloaded(bits), std::vector<std::uint32_t>(blocks, start + steps)) == "");
}

// Block 0 waits, step by step, until all others have done theirs; each of their threads counts for itself, by several.
// They wait for block 0, so that none of them is counted for one that is late.
FERMATA_KERNEL gather(fm::counter<>* counter, fm::counter<>* seen, unsigned* data, unsigned* wrong, unsigned steps) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  unsigned const producers = (blocks - 1) * threads;
  unsigned mismatches = 0;
  for (unsigned step = 0; step < steps; ++step) {
    if (block != 0) {
      unsigned const producer = (block - 1) * threads + rank;
      data[step * producers + producer] = test::mix(step * producers + producer + 1);
      counter->signal(3);
      seen->await_block(step + 1);
    } else {
      counter->await_block((step + 1) * producers * 3);
      for (unsigned other = rank; other < producers; other += threads)
        mismatches += data[step * producers + other] != test::mix(step * producers + other + 1);
      seen->signal_block();
    }
  }
  if (block == 0) wrong[rank] = mismatches;
}

// In shared memory: each wave waits for the one before it.
FERMATA_KERNEL wave_by_wave(unsigned* out) {
  FERMATA_SHARED(counter, block_counter);
  FERMATA_SHARED(tile, unsigned[1024]);
  unsigned const rank = fm::this_block().thread_rank(), width = fm::this_wave().size();
  if (rank == 0) counter.init(0xFFFFFFFEu);
  fm::this_block().sync();
  unsigned const wave = rank / width;
  counter.await(0xFFFFFFFEu + wave);
  tile[rank] = wave == 0 ? test::mix(rank) : tile[rank - width] + wave;
  fm::this_wave().sync();
  if (fm::this_wave().elect()) counter.signal();
  out[rank] = tile[rank];
}

}  // namespace

TEST_SUITE("counter") {
  TEST_CASE("the count, step by step") {
    for (std::uint32_t start : starts()) {
      CAPTURE(start);
      auto counter = test::filled<fm::counter<>>(1, 0xCD);
      auto wrong = test::filled<unsigned>(1, 0xFF);
      test::run({1, 1}, count_by_one_thread, counter.data(), start, wrong.data());
      CHECK(test::downloaded(wrong)[0] == 0);
    }
  }

  TEST_CASE("what a block has done goes along a chain of blocks") {
    for (std::uint32_t start : starts()) check_passing<fm::thread_scope::device>(4, 96, start);
    for (unsigned threads : {1u, 33u, 256u}) check_passing<fm::thread_scope::device>(7, threads, 0xFFFFFFF8u);
    check_passing<fm::thread_scope::system>(3, 64, 0xFFFFFFF8u);
  }

  TEST_CASE("one block waits for all threads of the others") {
    for (unsigned blocks : {2u, 5u})
      for (unsigned threads : {33u, 128u}) {
        CAPTURE(blocks);
        CAPTURE(threads);
        constexpr unsigned steps = 8;
        auto counter = test::filled<fm::counter<>>(1), seen = test::filled<fm::counter<>>(1);
        auto data = test::filled<unsigned>(steps * (blocks - 1) * threads, 0xCD);
        auto wrong = test::filled<unsigned>(threads, 0xFF);
        test::run_cooperative({blocks, threads}, gather, counter.data(), seen.data(), data.data(), wrong.data(), steps);
        CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
      }
  }

  TEST_CASE("waves of a block wait for each other") {
    unsigned const width = test::wave_size(), threads = 1024;
    auto out = test::filled<unsigned>(threads, 0xCD);
    test::run({1, threads}, wave_by_wave, out.data());
    std::vector<unsigned> want(threads);
    for (unsigned rank = 0; rank < threads; ++rank)
      want[rank] = rank < width ? test::mix(rank) : want[rank - width] + rank / width;
    CHECK(test::difference(out, want) == "");
  }
}
