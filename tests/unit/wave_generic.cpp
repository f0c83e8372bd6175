// The lane algorithms for targets without instructions of their own, here on every target: what the compiler makes of
// them on a GPU, the host's own operations would not show.
#include <cstring>

#include "wave_shapes.hpp"

#include <fermata/detail/generic/lanes.hpp>
#include <fermata/detail/generic/words.hpp>

namespace {

namespace generic = fm::detail::generic;

// x → factor * x + offset. Which of two comes first matters.
struct affine {
  std::uint32_t factor, offset;
};
struct after {
  FERMATA_FN affine operator()(affine first, affine second) const {
    return {second.factor * first.factor, second.factor * first.offset + second.offset};
  }
};

struct sum_of_both {
  FERMATA_FN affine operator()(affine a, affine b) const { return {a.factor + b.factor, a.offset + b.offset}; }
};

FERMATA_KERNEL scan_and_reduce(affine const* in, affine* over_wave, affine* over_members, unsigned* totals,
                               unsigned* sums, std::uint64_t mask) {
  unsigned const thread = fm::this_block().thread_rank(), lane = fm::this_wave().lane();
  over_wave[thread] =
      generic::inclusive_scan(in[thread], after{}, lane, fm::wave::size(),
                              [](affine const& value, unsigned step) { return fm::this_wave().shfl_up(value, step); });
  totals[thread] = generic::wave_reduce(in[thread].offset, fm::plus{});
  if ((mask >> lane & 1) != 0) {
    auto const members = static_cast<fm::backend::lane_word>(mask);
    over_members[thread] = generic::lanes_inclusive_scan(members, in[thread], after{});
    sums[thread] = generic::lanes_reduce(members, in[thread].offset, fm::plus{});
  }
}

FERMATA_KERNEL reduce_generically(affine const* in, affine* out) {
  unsigned const thread = fm::this_block().thread_rank();
  out[thread] = generic::wave_reduce(in[thread], sum_of_both{});
}

// The words of a value, and how many bytes each has.
template <class T>
FERMATA_KERNEL list_words(T const* value, std::uint64_t* words, unsigned* widths) {
  unsigned count = 0;
  generic::visit_wide_words(*value, [&](auto word) {
    words[count] = word;
    widths[count++] = sizeof(word);
  });
}

template <unsigned Bytes>
struct bytes {
  unsigned char b[Bytes];
};

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE("generic scans and sums, for every shape of a set of lanes") {
    unsigned const width = test::wave_size(), threads = 2 * width;
    std::uint64_t const whole = ~std::uint64_t{0} >> (64 - width);
    std::vector<affine> values(threads);
    for (unsigned i = 0; i < threads; ++i) values[i] = {test::mix(i) | 1, test::mix(i + 1000)};
    auto const in = test::uploaded(values);
    for (std::uint64_t mask : {whole, std::uint64_t{0xFFFF}, std::uint64_t{0x10}, whole & 0x9249249249249249u,
                               whole ^ 0x20u, std::uint64_t{0x8001} << (width - 16)}) {
      CAPTURE(mask);
      auto over_wave = test::filled<affine>(threads), over_members = test::filled<affine>(threads);
      auto totals = test::filled<unsigned>(threads), sums = test::filled<unsigned>(threads);
      test::run({1, threads}, scan_and_reduce, in.data(), over_wave.data(), over_members.data(), totals.data(),
                sums.data(), mask);
      std::vector<affine> want_wave(threads), want_members(threads);
      std::vector<unsigned> want_totals(threads), want_sums(threads);
      for (unsigned first = 0; first < threads; first += width) {
        affine all{1, 0}, some{1, 0};
        unsigned total = 0, sum = 0;
        for (unsigned i = first; i < first + width; ++i) {
          want_wave[i] = all = after{}(all, values[i]);
          total += values[i].offset;
          if ((mask >> (i - first) & 1) == 0) continue;
          want_members[i] = some = after{}(some, values[i]);
          sum += values[i].offset;
        }
        for (unsigned i = first; i < first + width; ++i) {
          want_totals[i] = total;
          if ((mask >> (i - first) & 1) != 0) want_sums[i] = sum;
        }
      }
      CHECK(test::difference(over_wave, want_wave) == "");
      CHECK(test::difference(over_members, want_members) == "");
      CHECK(test::difference(totals, want_totals) == "");
      CHECK(test::difference(sums, want_sums) == "");
    }
  }

  TEST_CASE("generic sums in every partial wave") {
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave()) {
      unsigned const threads = shape.count();
      CAPTURE(threads);
      std::vector<affine> values(threads), want(threads, affine{0, 0});
      for (unsigned i = 0; i < threads; ++i) values[i] = {test::mix(i), test::mix(i + 1000)};
      for (unsigned i = 0; i < threads; ++i) {
        unsigned const first = i - i % test::wave_size();
        for (unsigned j = first; j < threads && j < first + test::wave_size(); ++j)
          want[i] = sum_of_both{}(want[i], values[j]);
      }
      auto const in = test::uploaded(values);
      auto out = test::filled<affine>(threads);
      test::run({1, shape}, reduce_generically, in.data(), out.data());
      CHECK(test::difference(out, want) == "");
    }
  }

  TEST_CASE_TEMPLATE("a value in words of 64 bits, and what is left over", T, bytes<1>, bytes<4>, bytes<6>, bytes<8>,
                     bytes<12>, bytes<16>, bytes<23>) {
    constexpr std::size_t narrow = (sizeof(T) + 3) / 4, count = (narrow + 1) / 2;
    T value;
    for (unsigned i = 0; i < sizeof(T); ++i) value.b[i] = static_cast<unsigned char>(0x81 + 7 * i);
    auto words = test::filled<std::uint64_t>(4);
    auto widths = test::filled<unsigned>(4);
    auto const in = test::uploaded(std::vector<T>{value});
    test::run({1, 1}, list_words<T>, in.data(), words.data(), widths.data());
    std::vector<std::uint64_t> want(4, 0);
    std::memcpy(want.data(), &value, sizeof(T));
    std::vector<unsigned> want_widths(4, 0);
    for (std::size_t i = 0; i < count; ++i) want_widths[i] = narrow % 2 != 0 && i == count - 1 ? 4 : 8;
    CHECK(test::difference(words, want) == "");
    CHECK(test::difference(widths, want_widths) == "");
  }
}
