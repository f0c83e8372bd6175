// Pairs of 16-bit floats in one word: through sentinels, and through an exchange.
#include <fermata/half.hpp>

#include "exchange.hpp"
#include "sentinel.hpp"

namespace {

using halves = fm::half_pair<fm::half>;
using bfloats = fm::half_pair<fm::bfloat16>;

template <class Pair>
constexpr unsigned mantissa = std::is_same_v<Pair, halves> ? 10 : 7;

// Every class of 16-bit float in both halves, each with a few of the other, and the pattern of one half with others.
template <class Pair>
std::vector<std::uint32_t> every_class() {
  std::vector<std::uint16_t> one = test::float_classes<std::uint16_t>(mantissa<Pair>);
  one.push_back(static_cast<std::uint16_t>(fm::sentinel_traits<Pair>::empty));
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t j : {i, (i + 1) % one.size(), (i + 20) % one.size()})
      if (i + 1 != one.size() || j != i) result.push_back(std::uint32_t{one[i]} << 16 | one[j]);
  test::add_neighbours<Pair>(result);
  return result;
}

}  // namespace

// The bit is one of the half that lies lower; it must not turn a NaN into an infinity there.
template <class H, unsigned Buffers, class Layout>
struct test::arrived<fm::half_pair<H>, fm::basic_sense_bit_protocol<Buffers, Layout>> {
  FERMATA_FN static std::uint32_t of(std::uint32_t sent) noexcept {
    std::uint32_t const infinity = std::is_same_v<H, fm::half> ? 0x7C00u : 0x7F80u;
    return (sent & 0x7FFF) == infinity + 1 ? sent + 1 : sent & ~1u;
  }
};

TYPE_TO_STRING(halves);
TYPE_TO_STRING(bfloats);

TEST_SUITE("sentinel") {
  TEST_CASE_TEMPLATE("pairs of halves: every class of value passes through with all its bits", T, halves, bfloats) {
    static_assert(sizeof(fm::sentinel<T>) == 4);
    std::vector<std::uint32_t> const bits = every_class<T>();
    CHECK(test::difference(test::transmit<T>(bits), bits) == "");
  }

  TEST_CASE_TEMPLATE("pairs of halves: the empty pattern is two NaNs, and arrives as two others", T, halves, bfloats) {
    std::uint32_t const empty = fm::sentinel_traits<T>::empty;
    CHECK(empty == (std::is_same_v<T, halves> ? 0x7D557D55u : 0x7FA57FA5u));
    std::vector<std::uint32_t> const got = test::transmit<T>({empty, empty});
    for (std::uint32_t bits : got) {
      CHECK(bits == (empty ^ 1));
      for (std::uint32_t half : {bits & 0xFFFF, bits >> 16})
        CHECK((half & 0x7FFF) > (0x7FFFu >> mantissa<T> << mantissa<T>));  // beyond infinity
    }
  }
}

TEST_SUITE("exchange") {
  TEST_CASE_TEMPLATE("pairs of halves", T, halves, bfloats) {
    test::check_gather<T, fm::sentinel_protocol>(3, 40, 300, {0, 70, 20, false, 0});
    test::check_gather<T, fm::sense_bit_protocol>(3, 40, 37, {0, 70, 20, true, 0});
  }

  TEST_CASE_TEMPLATE("the sense bit of a pair keeps NaNs", T, halves, bfloats) {
    std::uint32_t const infinity = 0x7FFFu >> mantissa<T> << mantissa<T>;
    CHECK(fm::sense_bit_traits<T>::canonicalise(infinity | 1) == (infinity | 2));
    CHECK(fm::sense_bit_traits<T>::canonicalise(0x8000 | infinity | 1) == (0x8000 | infinity | 2));
    CHECK(fm::sense_bit_traits<T>::canonicalise(infinity) == infinity);
    CHECK(fm::sense_bit_traits<T>::canonicalise((infinity | 1) << 16 | 1) == ((infinity | 1) << 16 | 1));
  }
}
