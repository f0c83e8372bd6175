// The all-gather of persistent kernels: every block gets every value of every step, once, however unequal the blocks.
#include <algorithm>
#include <fermata/detail/exchange.hpp>

#include "support.hpp"

namespace {

using fm::detail::exchange_shape;
using fm::detail::flagged_protocol;
using fm::detail::sentinel_protocol;

// What each step sends: any bits, and now and then those that a sentinel holds for empty.
FERMATA_FN std::uint32_t bits_of(std::uint32_t step, unsigned index) noexcept {
  std::uint32_t const bits = test::mix(step * 40503u + index);
  return bits % 11 == 0 ? fm::sentinel_traits<float>::empty : bits;
}

template <class Protocol>
FERMATA_FN std::uint32_t expected_bits(std::uint32_t step, unsigned index) noexcept {
  std::uint32_t const bits = bits_of(step, index);
  return Protocol::rearms ? fm::sentinel_traits<float>::canonicalise(bits) : bits;
}

// A checksum that tells which indices were seen how often.
struct tally {
  std::uint64_t checksum;
  unsigned seen, wrong;
};

// `delays` makes some blocks late in some steps: a block then works for a while before it publishes, or before it
// reads.
template <class Protocol, unsigned Threads, unsigned MaxPolls>
FERMATA_KERNEL_BOUNDS(Threads)
gather_all(std::uint32_t* memory, unsigned units_per_block, unsigned steps, unsigned delays, tally* out) {
  fm::detail::exchange<Protocol, Threads, MaxPolls> gather(memory, units_per_block);
  unsigned const block = fm::this_grid().block_rank();
  tally mine{};
  unsigned work = block + 1;
  auto const delay = [&](unsigned seed) {
    unsigned const amount = test::mix(seed) % 8 == 0 ? delays : 0;
    for (unsigned i = 0; i < amount; ++i) work = test::mix(work + i);
  };
  for (unsigned step = 0; step < steps; ++step) {
    delay(step * 977 + block);
    gather.publish([&](unsigned index) { return test::same_bits<float>(bits_of(step, index)); });
    delay(step * 3571 + block * 2 + 1);
    gather.await_all([&](unsigned index, float value) {
      mine.wrong += test::same_bits<std::uint32_t>(value) != expected_bits<Protocol>(step, index);
      mine.checksum += test::mix(index + 1);
      mine.seen += 1;
    });
    gather.advance();
  }
  if (work == 0) mine.wrong += steps;  // never, but the work must not be optimised away
  out[fm::this_grid().thread_rank()] = mine;
}

template <class Protocol, unsigned Threads, unsigned MaxPolls>
void check_gather(unsigned blocks, unsigned values, unsigned steps, unsigned delays) {
  CAPTURE(blocks);
  CAPTURE(values);
  CAPTURE(Threads);
  exchange_shape const shape = fm::detail::shape_of_exchange<Protocol>(blocks, values);
  unsigned const padded = shape.units * Protocol::values_per_unit;
  REQUIRE(padded >= values);
  fm::buffer<std::uint32_t> memory(test::gpu(), shape.words);
  memory.fill(test::queue(), Protocol::initial_word);
  auto out = test::filled<tally>(blocks * Threads, 0xFF);
  test::run_cooperative({blocks, Threads}, gather_all<Protocol, Threads, MaxPolls>, memory.data(),
                        shape.units_per_block, steps, delays, out.data());
  std::uint64_t expected_checksum = 0;
  for (unsigned i = 0; i < padded; ++i) expected_checksum += test::mix(i + 1);
  std::vector<tally> const got = test::downloaded(out);
  for (unsigned b = 0; b < blocks; ++b) {
    tally sum{};
    for (unsigned t = 0; t < Threads; ++t) {
      tally const& one = got[b * Threads + t];
      sum.checksum += one.checksum;
      sum.seen += one.seen;
      sum.wrong += one.wrong;
    }
    CHECK(sum.wrong == 0);
    CHECK(sum.seen == padded * steps);
    CHECK(sum.checksum == expected_checksum * steps);
  }
}

template <class Protocol, unsigned Threads, unsigned MaxPolls>
unsigned most_blocks() {
  return static_cast<unsigned>(fm::max_resident_blocks(test::gpu(), gather_all<Protocol, Threads, MaxPolls>, Threads));
}

using sentinels = sentinel_protocol<float>;
using few_buffers = sentinel_protocol<float, 4, 1>;
using flags = flagged_protocol<float>;

}  // namespace

TYPE_TO_STRING(sentinels);
TYPE_TO_STRING(few_buffers);
TYPE_TO_STRING(flags);

TEST_SUITE("exchange") {
  TEST_CASE_TEMPLATE("every value reaches every block once", P, sentinels, few_buffers, flags) {
    for (unsigned blocks : {1u, 2u, 3u, 4u})
      for (unsigned values : {1u, 4u, 5u, 257u, 528u}) check_gather<P, 64, 2>(blocks, values, 40, 0);
  }
  TEST_CASE_TEMPLATE("blocks that are late", P, sentinels, few_buffers, flags) {
    check_gather<P, 64, 2>(2, 128, 150, 300);
    check_gather<P, 64, 2>(4, 64, 150, 300);
  }
  TEST_CASE_TEMPLATE("thread counts that are no multiple of anything", P, sentinels, flags) {
    check_gather<P, 50, 4>(3, 1001, 30, 20);
    check_gather<P, 1, 4>(2, 37, 30, 0);
  }
  TEST_CASE_TEMPLATE("many blocks", P, sentinels, few_buffers, flags) {
    unsigned const blocks = std::min(132u, most_blocks<P, 64, 4>());
    check_gather<P, 64, 4>(blocks, 2112, 20, 50);
  }

  TEST_CASE("the shape gives every block the same number of units, and at least one") {
    constexpr exchange_shape none = fm::detail::shape_of_exchange<sentinels>(3, 0);
    CHECK(none.units_per_block == 1);
    constexpr exchange_shape even = fm::detail::shape_of_exchange<sentinels>(4, 64);
    CHECK(even.units_per_block == 4);
    CHECK(even.units == 16);
    CHECK(even.words == std::size_t{16} * 4 * sentinels::buffers);
    constexpr exchange_shape rounded = fm::detail::shape_of_exchange<flags>(4, 65);
    CHECK(rounded.units_per_block == 17);
    CHECK(rounded.units == 68);
    CHECK(rounded.words == std::size_t{68} * 2 * flags::buffers);
  }
}
