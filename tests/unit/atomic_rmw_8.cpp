// Read-modify-write of 1-byte integers, in every order and scope, at the edges of the type.
#include "atomic_rmw_integers.hpp"

TEST_SUITE("atomic_rmw") {
  TEST_CASE("every integer operation of 1 byte, unsigned") { test::check_all_integer_ops<std::uint8_t>(); }
  TEST_CASE("every integer operation of 1 byte, signed") { test::check_all_integer_ops<std::int8_t>(); }
}
