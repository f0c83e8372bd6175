// The reductions and scans by rows of 16 lanes, for targets that move values inside a row, here on every target: with
// shuffles that bring what those moves bring.
#include <algorithm>
#include <cstring>

#include "wave_shapes.hpp"

#include <fermata/detail/generic/rows.hpp>
#include <fermata/detail/generic/wave.hpp>

namespace {

namespace generic = fm::detail::generic;

struct shuffled_rows {
  template <class T>
  FERMATA_DEVICE static T from(T const& v, unsigned lane) {
    return fm::this_wave().shfl(v, lane);
  }
  FERMATA_DEVICE static unsigned lane() { return fm::this_wave().lane(); }

  template <class T>
  FERMATA_DEVICE static T other_of_pair(T const& v) {
    return from(v, lane() ^ 1);
  }
  template <class T>
  FERMATA_DEVICE static T other_pair_of_four(T const& v) {
    return from(v, lane() ^ 2);
  }
  template <class T>
  FERMATA_DEVICE static T mirror_of_eight(T const& v) {
    return from(v, lane() ^ 7);
  }
  template <class T>
  FERMATA_DEVICE static T mirror_of_row(T const& v) {
    return from(v, lane() ^ 15);
  }
  template <class T>
  FERMATA_DEVICE static T last_of_row_before(T const& v) {
    return from(v, lane() < 16 ? lane() : (lane() & ~15u) - 1);
  }
  template <class T>
  FERMATA_DEVICE static T lane_31(T const& v) {
    return from(v, lane() < 32 ? lane() : 31);
  }
  template <unsigned N, class T>
  FERMATA_DEVICE static T before_in_row(T const& v, T const& nothing) {
    bool const has_one = lane() % 16 >= N;
    T const before = from(v, has_one ? lane() - N : lane());
    return has_one ? before : nothing;
  }
  template <class T>
  FERMATA_DEVICE static T last_of_even_row(T const& v, T const& nothing) {
    bool const odd = (lane() & 16) != 0;
    T const last = from(v, odd ? (lane() & ~15u) - 1 : lane());
    return odd ? last : nothing;
  }
  template <class T>
  FERMATA_DEVICE static T lane_31_in_second_half(T const& v, T const& nothing) {
    T const last = lane_31(v);
    return lane() >= 32 ? last : nothing;
  }
};

template <class Op, class T>
FERMATA_KERNEL scan_by_rows(T const* in, T* out) {
  unsigned const thread = fm::this_block().thread_rank();
  constexpr T nothing = generic::identity<T, Op>();
  out[thread] = fm::wave::size() == 64 ? generic::scan_rows<4>(in[thread], Op{}, nothing, shuffled_rows{})
                                       : generic::scan_rows<2>(in[thread], Op{}, nothing, shuffled_rows{});
}

template <unsigned Size>
FERMATA_DEVICE bool same_tree(float value) {
  auto const by_xor = [](float v, unsigned mask) { return fm::this_wave().shfl_xor(v, mask); };
  return generic::row_butterfly<Size>(value, fm::plus{}, shuffled_rows{}) ==
         generic::butterfly(value, fm::plus{}, Size, by_xor);
}

// Bit for bit the sums of the butterfly, which no other order of these additions gives.
FERMATA_KERNEL compare_trees(float const* in, unsigned* wrong) {
  unsigned const thread = fm::this_block().thread_rank();
  float const value = in[thread];
  bool same = same_tree<2>(value);
  same &= same_tree<4>(value);
  same &= same_tree<8>(value);
  same &= same_tree<16>(value);
  if (fm::wave::size() == 64) {
    float const rows = generic::four_rows_into_last(value, fm::plus{}, shuffled_rows{});
    float const want = generic::wave_reduce(value, fm::plus{});
    same &= rows == want || fm::this_wave().lane() != 63;
  }
  wrong[thread] = !same;
}

template <class Op, class T>
void check_scan(fm::dim3 const& shape, char const* name) {
  unsigned const threads = shape.count();
  CAPTURE(name);
  CAPTURE(threads);
  std::vector<T> values;
  for (unsigned t = 0; t < threads; ++t)
    values.push_back(static_cast<T>(std::uint64_t{test::mix(t)} << 32 | test::mix(t + 77)));
  std::vector<T> want = values;
  for (unsigned t = 1; t < threads; ++t)
    if (t % test::wave_size() != 0) want[t] = Op{}(want[t - 1], want[t]);
  auto const in = test::uploaded(values);
  auto out = test::filled<T>(threads);
  test::run({1, shape}, scan_by_rows<Op, T>, in.data(), out.data());
  CHECK(test::difference(out, want) == "");
}

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE_TEMPLATE("scans by rows, of every integer operation, in partial waves", T, std::uint32_t, std::int64_t,
                     std::int8_t) {
    for (fm::dim3 const& shape : test::some_shapes()) {
      check_scan<fm::plus, T>(shape, "plus");
      check_scan<fm::minimum, T>(shape, "minimum");
      check_scan<fm::maximum, T>(shape, "maximum");
      check_scan<fm::bit_and, T>(shape, "bit_and");
      check_scan<fm::bit_or, T>(shape, "bit_or");
      check_scan<fm::bit_xor, T>(shape, "bit_xor");
    }
  }

  TEST_CASE("sums of floats by rows are those of the butterfly") {
    unsigned const threads = 2 * test::wave_size();
    std::vector<float> values;
    for (unsigned t = 0; t < threads; ++t) values.push_back(0.1f + static_cast<float>(test::mix(t)));
    auto const in = test::uploaded(values);
    auto wrong = test::filled<unsigned>(threads);
    test::run({1, threads}, compare_trees, in.data(), wrong.data());
    CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
  }
}
