// The set of lanes: every operation against plain 64-bit arithmetic.
#include <bit>

#include "support.hpp"

namespace {

// What one thread found out about its pair of masks.
struct facts {
  std::uint64_t bits, both, either, differing, without, tested, iterated;
  std::uint32_t count, first, last, any, none, equal, equal_itself, order_ok;
};

FERMATA_KERNEL inspect(std::uint64_t const* a_bits, std::uint64_t const* b_bits, facts* out, unsigned pairs) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= pairs) return;
  fm::lane_mask const a = fm::lane_mask::from_uint64(a_bits[i]), b = fm::lane_mask::from_uint64(b_bits[i]);
  facts f{};
  f.bits = a.to_uint64();
  f.both = (a & b).to_uint64();
  f.either = (a | b).to_uint64();
  f.differing = (a ^ b).to_uint64();
  f.without = (a - b).to_uint64();
  for (unsigned lane = 0; lane < fm::wave::size(); ++lane) f.tested |= std::uint64_t{a.test(lane)} << lane;
  f.count = a.count();
  f.any = a.any();
  f.none = a.none();
  f.first = a.any() ? a.first() : ~0u;
  f.last = a.any() ? a.last() : ~0u;
  f.equal = a == b;
  f.equal_itself = a == fm::lane_mask::from_uint64(a.to_uint64());
  f.order_ok = 1;
  unsigned next = 0;
  for (unsigned lane : a) {
    if (lane < next) f.order_ok = 0;
    next = lane + 1;
    f.iterated |= std::uint64_t{1} << lane;
  }
  out[i] = f;
}

// Thread i makes the sets that belong to lane i, and those of i + 1 lanes.
FERMATA_KERNEL construct(std::uint64_t* singles, std::uint64_t* belows, std::uint64_t* alls, std::uint64_t* empty) {
  unsigned const i = fm::this_block().thread_rank();
  singles[i] = fm::lane_mask::single(i).to_uint64();
  belows[i] = fm::lane_mask::below(i).to_uint64();
  alls[i] = fm::lane_mask::all(i + 1).to_uint64();
  if (i == 0) {
    empty[0] = fm::lane_mask().to_uint64();
    empty[1] = fm::lane_mask::all(0).to_uint64();
  }
}

std::uint64_t lowest(unsigned n) { return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

std::vector<std::uint64_t> interesting_masks(unsigned width) {
  std::vector<std::uint64_t> masks = {0,
                                      ~std::uint64_t{0},
                                      0x5555555555555555ull,
                                      0xAAAAAAAAAAAAAAAAull,
                                      0x00000000FFFFFFFFull,
                                      0xFFFFFFFF00000000ull,
                                      0x8000000080000001ull};
  for (unsigned lane = 0; lane < width; ++lane) masks.push_back(std::uint64_t{1} << lane);
  for (unsigned i = 0; i < 100; ++i) masks.push_back(std::uint64_t{test::mix(2 * i)} << 32 | test::mix(2 * i + 1));
  return masks;
}

}  // namespace

TEST_SUITE("lane_mask") {
  TEST_CASE("members and set operators") {
    std::uint64_t const width_bits = lowest(test::wave_size());
    std::vector<std::uint64_t> const masks = interesting_masks(test::wave_size());
    std::vector<std::uint64_t> a, b;
    for (std::size_t i = 0; i < masks.size(); ++i)
      for (std::size_t step : {0u, 1u, 31u}) {  // step 0 pairs a mask with itself
        a.push_back(masks[i]);
        b.push_back(masks[(i + step) % masks.size()]);
      }
    unsigned const pairs = static_cast<unsigned>(a.size());
    auto in_a = test::uploaded(a), in_b = test::uploaded(b);
    auto out = test::filled<facts>(pairs, 0xCD);
    test::run({(pairs + 63) / 64, 64}, inspect, in_a.data(), in_b.data(), out.data(), pairs);

    std::vector<facts> want;
    for (unsigned i = 0; i < pairs; ++i) {
      std::uint64_t const x = a[i] & width_bits, y = b[i] & width_bits;  // bits beyond the wave are dropped
      facts f{};
      f.bits = f.tested = f.iterated = x;
      f.both = x & y;
      f.either = x | y;
      f.differing = x ^ y;
      f.without = x & ~y;
      f.count = static_cast<std::uint32_t>(std::popcount(x));
      f.first = x != 0 ? static_cast<std::uint32_t>(std::countr_zero(x)) : ~0u;
      f.last = x != 0 ? static_cast<std::uint32_t>(63 - std::countl_zero(x)) : ~0u;
      f.any = x != 0;
      f.none = x == 0;
      f.equal = x == y;
      f.equal_itself = f.order_ok = 1;
      want.push_back(f);
    }
    CHECK(test::difference(out, want) == "");
  }

  TEST_CASE("single, below, all and the empty set") {
    unsigned const width = test::wave_size();
    auto singles = test::filled<std::uint64_t>(width), belows = test::filled<std::uint64_t>(width);
    auto alls = test::filled<std::uint64_t>(width), empty = test::filled<std::uint64_t>(2, 0xFF);
    test::run({1, width}, construct, singles.data(), belows.data(), alls.data(), empty.data());
    std::vector<std::uint64_t> want_singles, want_belows, want_alls;
    for (unsigned lane = 0; lane < width; ++lane) {
      want_singles.push_back(std::uint64_t{1} << lane);
      want_belows.push_back(lowest(lane));
      want_alls.push_back(lowest(lane + 1));
    }
    CHECK(test::difference(singles, want_singles) == "");
    CHECK(test::difference(belows, want_belows) == "");
    CHECK(test::difference(alls, want_alls) == "");
    CHECK(test::difference(empty, std::vector<std::uint64_t>{0, 0}) == "");
  }
}
