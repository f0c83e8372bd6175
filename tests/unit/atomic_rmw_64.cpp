// Read-modify-write of 8-byte integers, in every order and scope, at the edges of the type.
#include "atomic_rmw_integers.hpp"

TEST_SUITE("atomic_rmw") {
  TEST_CASE("every integer operation of 8 bytes, unsigned") { test::check_all_integer_ops<std::uint64_t>(); }
  TEST_CASE("every integer operation of 8 bytes, signed") { test::check_all_integer_ops<std::int64_t>(); }
}
