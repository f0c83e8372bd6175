// Compare-exchange of types of one and two bytes.
#include "atomic_cas.hpp"

namespace {

struct alignas(2) rgb565 {
  std::uint8_t low, high;
};
enum class phase : std::int8_t { idle = -3, running = 0, done = 100 };

}  // namespace

TEST_SUITE("atomic_cas") {
  TEST_CASE("compare_exchange of 1-byte types") {
    test::check_cas<test::every_form, std::uint8_t>({0, 1, 0x80, 0xFF});
    test::check_cas<test::one_of_each_form, phase>({phase::idle, phase::running, phase::done});
  }
  TEST_CASE("compare_exchange of 2-byte types") {
    test::check_cas<test::every_form, std::int16_t>({0, 1, -1, -32768});
    test::check_cas<test::one_of_each_form, rgb565>({{0, 0}, {0, 1}, {1, 0}, {255, 255}});
  }
}
