// Groups of some lanes of a wave: named by a mask, two at once in the same line, and those that are here.
#include <limits>

#include "group_cells.hpp"

namespace {

// The masks of each round; the lanes outside a mask either stay away, or form a group of their own in the same line.
struct named_lanes {
  static constexpr bool knows_its_end = true, has_sets = true;
  std::uint64_t const* masks;
  bool both_sides;

  FERMATA_DEVICE bool inside(unsigned p) const { return (masks[p] >> fm::this_wave().lane()) & 1; }
  FERMATA_DEVICE bool takes_part(unsigned p) const { return both_sides || inside(p); }
  FERMATA_DEVICE fm::lane_group make(unsigned p) const {
    auto const everybody = fm::lane_mask::all(fm::this_wave().live());
    fm::lane_mask const named = fm::lane_mask::from_uint64(masks[p]) & everybody;
    return fm::this_wave().subset(inside(p) ? named : everybody - named);
  }
};

// Those of the lanes of a mask that are here, which on every device of today are all of them if nobody is ahead.
struct lanes_here {
  static constexpr bool knows_its_end = true, has_sets = true;
  std::uint64_t const* masks;

  FERMATA_DEVICE bool takes_part(unsigned p) const {
    fm::this_wave().sync();
    return (masks[p] >> fm::this_wave().lane()) & 1;
  }
  FERMATA_DEVICE fm::lane_group make(unsigned) const { return fm::active_lanes(); }
};

// Each single lane present and missing, contiguous and regular sets, and random ones.
std::vector<std::uint64_t> masks() {
  std::vector<std::uint64_t> result = {~std::uint64_t{0}, 0x5555555555555555ull, 0xCCCCCCCCCCCCCCCCull,
                                       0x8000000080000001ull, 0xFFFF0000FFFF0000ull};
  for (unsigned lane = 0; lane < test::wave_size(); ++lane) {
    result.push_back(std::uint64_t{1} << lane);
    result.push_back(~(std::uint64_t{1} << lane));
    result.push_back(~std::uint64_t{0} << lane);
  }
  for (unsigned i = 0; i < 40; ++i) {
    std::uint64_t const bits = std::uint64_t{test::mix(2 * i + 1)} << 32 | test::mix(2 * i + 2);
    result.push_back(i % 2 == 0 ? bits : bits & (std::uint64_t{test::mix(i + 900)} << 16 | test::mix(i + 901)));
  }
  return result;
}

std::vector<unsigned> group_of(unsigned thread, unsigned threads, std::uint64_t mask, bool both_sides) {
  unsigned const width = test::wave_size(), first = thread - thread % width;
  auto const inside = [&](unsigned t) { return ((mask >> (t - first)) & 1) != 0; };
  std::vector<unsigned> result;
  if (!inside(thread) && !both_sides) return result;
  for (unsigned t = first; t < std::min(first + width, threads); ++t)
    if (inside(t) == inside(thread)) result.push_back(t);
  return result;
}

template <class T>
void check_named(fm::dim3 const& shape, bool both_sides) {
  auto const sets = masks();
  auto const on_device = test::uploaded(sets);
  test::check_collectives<T>(
      shape, named_lanes{on_device.data(), both_sides}, static_cast<unsigned>(sets.size()),
      [&](unsigned thread, unsigned p) { return group_of(thread, shape.count(), sets[p], both_sides); });
}

template <class T>
FERMATA_KERNEL sums(T const* values, std::uint64_t mask, T* inclusive, T* exclusive, T* least) {
  unsigned const thread = fm::this_block().thread_rank();
  if (!((mask >> fm::this_wave().lane()) & 1)) return;
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(mask));
  inclusive[thread] = group.inclusive_scan(values[thread]);
  exclusive[thread] = group.exclusive_scan(values[thread]);
  least[thread] = group.reduce(values[thread], fm::minimum{});
}

// What the lanes of a branch leave for each other in shared memory.
FERMATA_KERNEL pass_on(unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(slots, unsigned[1024]);
  unsigned const thread = fm::this_block().thread_rank(), lane = fm::this_wave().lane();
  unsigned const first = thread - lane;
  bool const odd = lane % 2 != 0;
  auto const group = fm::this_wave().subset(fm::this_wave().match_any(odd));
  unsigned mismatches = 0;
  // In different branches, and differently often.
  if (odd) {
    for (unsigned round = 0; round < rounds; ++round) {
      slots[thread] = round * 1024 + thread;
      group.sync();
      unsigned const other = first + (lane + 2) % fm::this_wave().size();
      mismatches += slots[other] != round * 1024 + other;
      group.sync();
    }
  } else {
    for (unsigned round = 0; round < rounds / 2; ++round) {
      slots[thread] = round * 2048 + thread;
      group.sync();
      unsigned const other = first + (lane + 4) % fm::this_wave().size();
      mismatches += slots[other] != round * 2048 + other;
      group.sync();
    }
  }
  wrong[thread] = mismatches;
}

}  // namespace

TEST_SUITE("lane_group") {
  TEST_CASE_TEMPLATE("the lanes of a mask, alone in a branch", T, std::uint8_t, std::int16_t, std::uint32_t, double,
                     test::words16) {
    check_named<T>(fm::dim3(2 * test::wave_size()), false);
  }

  TEST_CASE("two groups at once, in the same line") {
    check_named<std::uint32_t>(fm::dim3(2 * test::wave_size()), true);
  }

  TEST_CASE("the groups of a wave that is not full") {
    for (unsigned threads : {1u, 7u, test::wave_size() - 1, test::wave_size() + 9})
      check_named<std::uint32_t>(fm::dim3(threads), true);
  }

  TEST_CASE("the lanes that are here") {
    auto const sets = masks();
    auto const on_device = test::uploaded(sets);
    unsigned const threads = 2 * test::wave_size();
    test::check_collectives<std::uint32_t>(
        fm::dim3(threads), lanes_here{on_device.data()}, static_cast<unsigned>(sets.size()),
        [&](unsigned thread, unsigned p) { return group_of(thread, threads, sets[p], false); });
  }

  TEST_CASE_TEMPLATE("sums and minima", T, std::int8_t, std::int32_t, std::int64_t, float) {
    unsigned const threads = test::wave_size();
    for (std::uint64_t mask : masks()) {
      CAPTURE(mask);
      std::vector<T> values, inclusive, exclusive, least;
      T sum{}, low = std::numeric_limits<T>::max();
      for (unsigned t = 0; t < threads; ++t) {
        bool const in = ((mask >> t) & 1) != 0;
        int const small = static_cast<int>(test::mix(t) % 2001) - 1000;
        values.push_back(std::is_integral_v<T> && t % 2 == 0 ? test::value_of<T>(t) : static_cast<T>(small));
        exclusive.push_back(in ? sum : T{});
        if (in) sum = fm::plus{}(sum, values[t]), low = std::min(low, values[t]);
        inclusive.push_back(in ? sum : T{});
      }
      for (unsigned t = 0; t < threads; ++t) least.push_back(((mask >> t) & 1) != 0 ? low : T{});
      auto input = test::uploaded(values);
      auto all = test::filled<T>(threads), before = test::filled<T>(threads), low_out = test::filled<T>(threads);
      test::run({1, threads}, sums<T>, input.data(), mask, all.data(), before.data(), low_out.data());
      CHECK(test::difference(all, inclusive) == "");
      CHECK(test::difference(before, exclusive) == "");
      CHECK(test::difference(low_out, least) == "");
    }
  }

  TEST_CASE("sync orders what the lanes of a branch do") {
    unsigned const threads = 4 * test::wave_size();
    auto wrong = test::filled<unsigned>(threads, 0xCD);
    test::run({1, threads}, pass_on, wrong.data(), 64u);
    CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0)) == "");
  }
}
