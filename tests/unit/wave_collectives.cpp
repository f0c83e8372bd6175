// The wave as a group: matches and scans of values of every size, in full and in partial waves.
#include <limits>

#include "group_cells.hpp"

namespace {

struct whole_wave {
  static constexpr bool knows_its_end = false, has_sets = true;
  FERMATA_DEVICE bool takes_part(unsigned) const { return true; }
  // With the number of lanes that exist for a size: the rounds below are about those.
  struct live_wave : fm::wave_group {
    FERMATA_DEVICE unsigned size() const { return live(); }
  };
  FERMATA_DEVICE live_wave make(unsigned) const { return {}; }
};

std::vector<unsigned> wave_of(unsigned thread, unsigned threads) {
  unsigned const first = thread - thread % test::wave_size();
  std::vector<unsigned> result;
  for (unsigned t = first; t < std::min(first + test::wave_size(), threads); ++t) result.push_back(t);
  return result;
}

template <class T>
FERMATA_KERNEL sums(T const* values, T* inclusive, T* exclusive) {
  unsigned const thread = fm::this_block().thread_rank();
  inclusive[thread] = fm::this_wave().inclusive_scan(values[thread]);
  exclusive[thread] = fm::this_wave().exclusive_scan(values[thread]);
}

// Sums of the lanes up to each one and before it, in waves of every length.
template <class T, class Value>
void check_sums(fm::dim3 const& shape, Value value) {
  unsigned const threads = shape.count();
  CAPTURE(threads);
  std::vector<T> values, inclusive, exclusive;
  for (unsigned t = 0; t < threads; ++t) {
    values.push_back(value(t));
    bool const first = t % test::wave_size() == 0;
    exclusive.push_back(first ? T{} : inclusive.back());
    inclusive.push_back(first ? values[t] : fm::plus{}(inclusive.back(), values[t]));
  }
  auto input = test::uploaded(values), all = test::filled<T>(threads, 0xCD), before = test::filled<T>(threads, 0xCD);
  test::run({1, shape}, sums<T>, input.data(), all.data(), before.data());
  CHECK(test::difference(all, inclusive) == "");
  CHECK(test::difference(before, exclusive) == "");
}

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE_TEMPLATE("collectives of values of every size", T, std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t,
                     test::words12) {
    for (fm::dim3 const& shape : test::some_shapes())
      test::check_collectives<T>(shape, whole_wave{}, 40,
                                 [&](unsigned thread, unsigned) { return wave_of(thread, shape.count()); });
  }

  TEST_CASE("scans and matches in every partial wave") {
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave())
      test::check_collectives<std::uint32_t>(shape, whole_wave{}, 8,
                                             [&](unsigned thread, unsigned) { return wave_of(thread, shape.count()); });
  }

  TEST_CASE_TEMPLATE("sums of integers wrap around", T, std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
    for (fm::dim3 const& shape : test::some_shapes()) {
      check_sums<T>(shape, [](unsigned t) { return test::value_of<T>(t); });
      check_sums<T>(shape, [](unsigned t) { return t % 3 == 0 ? std::numeric_limits<T>::min() : T{1}; });
    }
  }

  // Sums that are exact in any order.
  TEST_CASE_TEMPLATE("sums of floats", T, float, double) {
    for (fm::dim3 const& shape : test::some_shapes())
      check_sums<T>(shape, [](unsigned t) { return static_cast<T>(static_cast<int>(test::mix(t) % 2001) - 1000) / 8; });
  }
}
