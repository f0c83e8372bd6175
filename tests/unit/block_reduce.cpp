// The reduction over a block, in blocks of every shape; and the block that comes last, which sees what all others did.
#include <cmath>

#include "support.hpp"

namespace {

// Sixteen bytes with an operation of their own.
struct statistics {
  std::uint32_t count, least, most, folded;
};
struct join {
  FERMATA_FN statistics operator()(statistics const& a, statistics const& b) const {
    return {a.count + b.count, a.least < b.least ? a.least : b.least, a.most < b.most ? b.most : a.most,
            a.folded ^ b.folded};
  }
};

// The largest block has 32 waves of 32 lanes. A write behind the last one would not show: nothing need lie there.
static_assert(sizeof(fm::detail::wave_values) == 1024 / 32 * sizeof(statistics));

// What a thread brings to a round. Floats are small integers, so that their sums are exact.
FERMATA_FN std::uint32_t number(unsigned thread, unsigned round) { return test::mix(thread * 61 + round); }
FERMATA_FN statistics statistics_of(std::uint32_t n) { return {1, n, n, n}; }
FERMATA_FN double small(std::uint32_t n) { return static_cast<double>(n % 2001) - 1000; }

struct results {
  std::uint32_t sum, padding;
  statistics all;
  double total;
  float least;
  std::uint32_t more_padding;
};

// One call after the other, of several types in the same memory, and nothing in between.
FERMATA_KERNEL reduce_in_rounds(results* out, unsigned rounds) {
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned round = 0; round < rounds; ++round) {
    std::uint32_t const n = number(rank, round);
    results r{};
    r.sum = fm::block_reduce(n, fm::plus{});
    r.all = fm::block_reduce(statistics_of(n), join{});
    r.total = fm::block_reduce(small(n), fm::plus{});
    r.least = fm::block_reduce(static_cast<float>(small(n)), [](float a, float b) { return a < b ? a : b; });
    out[round * threads + rank] = r;
  }
}

// Ordinary sums, whose last bits depend on the order.
FERMATA_KERNEL reduce_fractions(float* out) {
  unsigned const rank = fm::this_block().thread_rank();
  out[rank] = fm::block_reduce(1.0f / static_cast<float>(rank + 1), fm::plus{});
}

// Every block leaves its part, written by its last thread, and the last block adds them up; several times in a launch,
// with a word for each, as blocks run ahead of each other.
FERMATA_KERNEL finish_by_last(std::uint32_t* arrived, unsigned* parts, unsigned* sums, unsigned* lasts,
                              unsigned rounds) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned* const part = parts + round * blocks;
    if (rank == threads - 1) {
      // Late: its leader could have been here long ago.
      unsigned odd = 0;
      for (unsigned i = 0; i < 50; ++i)
        odd += fm::device_atomic_ref<std::uint32_t>(arrived[round]).load(fm::memory_order_relaxed) & 1;
      part[block] = number(block, round) + (odd > 50 ? 1 : 0);
    }
    bool const is_last = fm::last_block(arrived[round]);
    lasts[(round * blocks + block) * threads + rank] = is_last;
    if (!is_last) continue;
    unsigned sum = 0;
    for (unsigned other = rank; other < blocks; other += threads) sum += part[other];
    sum = fm::block_reduce(sum, fm::plus{});
    if (rank == 0) sums[round] = sum;
  }
}

void check_last(std::uint32_t* arrived, unsigned blocks, unsigned threads, unsigned rounds) {
  CAPTURE(blocks);
  CAPTURE(threads);
  CAPTURE(rounds);
  auto parts = test::filled<unsigned>(rounds * blocks, 0xCD), sums = test::filled<unsigned>(rounds, 0xCD);
  auto lasts = test::filled<unsigned>(rounds * blocks * threads, 0xCD);
  test::run({blocks, threads}, finish_by_last, arrived, parts.data(), sums.data(), lasts.data(), rounds);
  std::vector<unsigned> want(rounds);
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned block = 0; block < blocks; ++block) want[round] += number(block, round);
  CHECK(test::difference(sums, want) == "");
  // One block in each round, and all threads of a block say the same.
  auto const said = test::downloaded(lasts);
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned count = 0, torn = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      unsigned const* const of_block = &said[(round * blocks + block) * threads];
      count += of_block[0];
      for (unsigned rank = 0; rank < threads; ++rank) torn += of_block[rank] != of_block[0];
    }
    CHECK(count == 1);
    CHECK(torn == 0);
  }
}

}  // namespace

TEST_SUITE("block_reduce") {
  TEST_CASE("every thread has the result, in blocks of all sizes") {
    unsigned const width = test::wave_size();
    for (fm::dim3 const& shape :
         {fm::dim3(1), fm::dim3(7), fm::dim3(width - 1), fm::dim3(width), fm::dim3(width + 1), fm::dim3(2 * width + 5),
          fm::dim3(5, 3, 7), fm::dim3(16, 16), fm::dim3(1023), fm::dim3(1024)}) {
      unsigned const threads = shape.count();
      CAPTURE(threads);
      constexpr unsigned rounds = 3;
      auto out = test::filled<results>(rounds * threads, 0xCD);
      test::run({1, shape}, reduce_in_rounds, out.data(), rounds);
      std::vector<results> want(rounds * threads);
      for (unsigned round = 0; round < rounds; ++round) {
        results r{};
        r.all = statistics_of(number(0, round));
        r.least = static_cast<float>(small(number(0, round)));
        for (unsigned rank = 0; rank < threads; ++rank) {
          std::uint32_t const n = number(rank, round);
          r.sum += n;
          if (rank != 0) r.all = join{}(r.all, statistics_of(n));
          r.total += small(n);
          r.least = std::fmin(r.least, static_cast<float>(small(n)));
        }
        for (unsigned rank = 0; rank < threads; ++rank) want[round * threads + rank] = r;
      }
      CHECK(test::difference(out, want) == "");
    }
  }

  TEST_CASE("floats: the same bits in every thread") {
    for (unsigned threads : {65u, 1000u}) {
      auto out = test::filled<float>(threads, 0xCD);
      test::run({1, threads}, reduce_fractions, out.data());
      auto const got = test::downloaded(out);
      CHECK(test::difference(got, std::vector<float>(threads, got[0])) == "");
      double sum = 0;
      for (unsigned rank = 0; rank < threads; ++rank) sum += 1.0 / (rank + 1);
      CHECK(std::fabs(got[0] - sum) < 1e-5);
    }
  }

  TEST_CASE("one block is the last, and sees what all did") {
    // Of any grid size, with the same words, which are zero again each time.
    constexpr unsigned rounds = 4;
    auto arrived = test::filled<std::uint32_t>(rounds);
    for (unsigned blocks : {1u, 2u, 9u, 300u})
      for (unsigned threads : {1u, 33u, 96u}) check_last(arrived.data(), blocks, threads, rounds);
    CHECK(test::difference(arrived, std::vector<std::uint32_t>(rounds, 0u)) == "");
  }
}
