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

TEST_SUITE("exchange") {
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
