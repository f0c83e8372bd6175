// Read-modify-write of 4-byte integers, in every order and scope, at the edges of the type.
#include "atomic_rmw_integers.hpp"

TEST_SUITE("atomic_rmw") {
  TEST_CASE("every integer operation of 4 bytes, unsigned") { test::check_all_integer_ops<std::uint32_t>(); }
  TEST_CASE("every integer operation of 4 bytes, signed") { test::check_all_integer_ops<std::int32_t>(); }
}
