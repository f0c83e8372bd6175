// The exchange of types other than float.
#include "exchange.hpp"

namespace {

// A type of the user's, with a value and a bit to spare.
struct ticket {
  std::uint32_t number;
};

}  // namespace

template <>
struct fermata::sentinel_traits<ticket> {
  static constexpr std::uint32_t empty = 0x7FA5A5A5u;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return bits == empty ? 5 : bits;
  }
};
template <>
struct fermata::sense_bit_traits<ticket> {
  static constexpr std::uint32_t bit = 0x40000000u;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept { return bits; }
};

namespace {

template <class T, class Protocol>
void check_type() {
  for (unsigned values : {37u, 300u})
    for (bool by_value : {false, true}) test::check_gather<T, Protocol>(3, 40, values, {0, 70, 20, by_value, 0});
}

}  // namespace

// Every block has its share of the units, rounded up, and one unit at least.
constexpr unsigned units_per_block(unsigned blocks, unsigned units) {
  using protocol = fm::sentinel_protocol;
  unsigned const values = units * fm::detail::exchange_codec<float, protocol>::values_per_unit;
  return fm::detail::shape_of_exchange<float, protocol>(blocks, values).units_per_block;
}
static_assert(units_per_block(4, 0) == 1 && units_per_block(4, 1) == 1 && units_per_block(4, 4) == 1);
static_assert(units_per_block(4, 5) == 2 && units_per_block(4, 8) == 2 && units_per_block(4, 9) == 3);

TEST_SUITE("exchange") {
  TEST_CASE("more values than 16 bits count") {
    CHECK(fm::exchange_storage<float>(test::gpu(), 3, 70000).values() == 70000);
  }
  TEST_CASE("double") {
    check_type<double, fm::sentinel_protocol>();
    check_type<double, fm::sense_bit_protocol>();
  }
  TEST_CASE("a type of the user's own, by its traits") {
    check_type<ticket, fm::sentinel_protocol>();
    check_type<ticket, fm::sense_bit_protocol>();
  }
  TEST_CASE_TEMPLATE("any type of up to four bytes", T, std::uint8_t, std::int16_t, unsigned) {
    check_type<T, fm::default_exchange_protocol<T>>();
  }
}
