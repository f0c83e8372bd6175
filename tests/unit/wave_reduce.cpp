// Reductions over the wave: every operation, every partial wave, the same result in every lane.
#include <algorithm>
#include <cmath>
#include <limits>

#include "wave_shapes.hpp"

namespace {

template <class Op, class T>
FERMATA_KERNEL reduce_all(T const* values, T* out, Op op) {
  unsigned const rank = fm::this_block().thread_rank();
  out[rank] = fm::this_wave().reduce(values[rank], op);
}

// `oracle` says on the host, in its own words, what `op` does.
template <class Op, class T, class Oracle>
void check_reduce(fm::dim3 const& shape, std::vector<T> const& values, Op op, char const* name, Oracle oracle) {
  unsigned const threads = shape.count();
  INFO(name, " of ", sizeof(T), " bytes in ", threads, " threads");
  auto input = test::uploaded(values), out = test::filled<T>(threads, 0xCD);
  test::run({1, shape}, reduce_all<Op, T>, input.data(), out.data(), op);
  std::vector<T> want(threads);
  for (unsigned first = 0; first < threads; first += test::wave_size()) {
    unsigned const live = test::place_of(first, threads).live;
    T total = values[first];
    for (unsigned lane = 1; lane < live; ++lane) total = static_cast<T>(oracle(total, values[first + lane]));
    for (unsigned lane = 0; lane < live; ++lane) want[first + lane] = total;
  }
  CHECK(test::difference(out, want) == "");
}

template <class T>
void check_all_ops(fm::dim3 const& shape) {
  std::vector<T> values, low_bits, all_set, none_set;
  for (unsigned t = 0; t < shape.count(); ++t) {
    T const bits = test::value_of<T>(t);
    values.push_back(bits);
    // Several bits in each, so that a logical `and` or `or` differs from a bitwise one; and a bit that all have, and a
    // bit that none has, so that a wave of many lanes does not end at all ones or at zero.
    all_set.push_back(static_cast<T>(bits | 0x14));
    none_set.push_back(static_cast<T>(bits & ~0x28));
  }
  using wide = std::make_unsigned_t<T>;
  check_reduce(shape, values, fm::plus{}, "plus", [](T a, T b) { return static_cast<wide>(a) + static_cast<wide>(b); });
  check_reduce(shape, values, fm::minimum{}, "minimum", [](T a, T b) { return std::min(a, b); });
  check_reduce(shape, values, fm::maximum{}, "maximum", [](T a, T b) { return std::max(a, b); });
  check_reduce(shape, all_set, fm::bit_and{}, "bit_and", [](T a, T b) { return a & b; });
  check_reduce(shape, none_set, fm::bit_or{}, "bit_or", [](T a, T b) { return a | b; });
  check_reduce(shape, values, fm::bit_xor{}, "bit_xor", [](T a, T b) { return a ^ b; });
}

// The same with numbers whose sums are exact, whatever the order of adding.
template <class T>
void check_float_ops(fm::dim3 const& shape) {
  std::vector<T> values;
  for (unsigned t = 0; t < shape.count(); ++t)
    values.push_back(static_cast<T>(static_cast<int>(test::mix(t) % 2001) - 1000) / 8);
  check_reduce(shape, values, fm::plus{}, "plus", [](T a, T b) { return a + b; });
  check_reduce(shape, values, fm::minimum{}, "minimum", [](T a, T b) { return std::min(a, b); });
  check_reduce(shape, values, fm::maximum{}, "maximum", [](T a, T b) { return std::max(a, b); });
}

// An operation of the user's own on a struct: the largest value, and the lowest place that has it.
struct best {
  std::int32_t value;
  std::uint32_t place;
};
struct better {
  FERMATA_FN best operator()(best const& a, best const& b) const {
    bool const first = a.value != b.value ? a.value > b.value : a.place < b.place;
    return first ? a : b;
  }
};

// Three words, each with a sum of its own.
struct sum_of_words {
  FERMATA_FN test::words12 operator()(test::words12 const& a, test::words12 const& b) const {
    return {{a.w[0] + b.w[0], a.w[1] + b.w[1], a.w[2] + b.w[2]}};
  }
};

// Two bits of a 4-byte integer by the user's own function, which no built-in reduction may replace.
struct saturating_plus {
  FERMATA_FN unsigned operator()(unsigned a, unsigned b) const { return a + b < 100 ? a + b : 100; }
};

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE_TEMPLATE("reduce of 4-byte integers in every partial wave", T, std::uint32_t, std::int32_t) {
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave()) check_all_ops<T>(shape);
  }
  TEST_CASE_TEMPLATE("reduce of integers of every size", T, std::uint8_t, std::int8_t, std::int16_t, std::uint64_t,
                     std::int64_t) {
    for (fm::dim3 const& shape : test::some_shapes()) check_all_ops<T>(shape);
  }
  TEST_CASE_TEMPLATE("reduce of floats", T, float, double) {
    for (fm::dim3 const& shape : test::some_shapes()) check_float_ops<T>(shape);
  }

  TEST_CASE_TEMPLATE("a sum of floats is the same in every lane, and close", T, float, double) {
    for (fm::dim3 const& shape : test::some_shapes()) {
      unsigned const threads = shape.count();
      CAPTURE(threads);
      std::vector<T> values;
      for (unsigned t = 0; t < threads; ++t) values.push_back(T(0.1) + static_cast<T>(test::mix(t)) / T(4294967296.0));
      auto input = test::uploaded(values), out = test::filled<T>(threads);
      test::run({1, shape}, reduce_all<fm::plus, T>, input.data(), out.data(), fm::plus{});
      std::vector<T> const got = test::downloaded(out);
      for (unsigned t = 0; t < threads; ++t) {
        test::place const at = test::place_of(t, threads);
        unsigned const first = t - at.lane;
        REQUIRE(std::memcmp(&got[t], &got[first], sizeof(T)) == 0);
        if (at.lane != 0) continue;
        long double exact = 0;
        for (unsigned lane = 0; lane < at.live; ++lane) exact += values[first + lane];
        CHECK(std::fabs(static_cast<double>(got[t] - exact)) <=
              64 * std::numeric_limits<T>::epsilon() * static_cast<double>(exact));
      }
    }
  }

  TEST_CASE("reduce with the user's own operations and types") {
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave()) {
      std::vector<best> scores;
      std::vector<test::words12> triples;
      std::vector<unsigned> amounts;
      for (unsigned t = 0; t < shape.count(); ++t) {
        scores.push_back({static_cast<std::int32_t>(test::mix(t) % 16) - 8, t});
        triples.push_back(test::value_of<test::words12>(t));
        amounts.push_back(test::mix(t) % 8);
      }
      check_reduce(shape, scores, better{}, "the better of two", better{});
      check_reduce(shape, triples, sum_of_words{}, "three sums", sum_of_words{});
      check_reduce(shape, amounts, saturating_plus{}, "saturating plus", saturating_plus{});
    }
  }
}
