// What a missed deadline says, from the report that the device leaves.
#include <fermata/detail/deadline_report.hpp>

#include "support.hpp"

namespace {

// Block 1 of 20 has waited for half a second, for so many blocks: 3, 4 and so on.
std::string text_of(unsigned missing) {
  fm::detail::deadline_report report{};
  report.block = 1;
  report.blocks = 20;
  report.missing = missing;
  for (unsigned i = 0; i < report.most_named; ++i) report.first_missing[i] = i + 3;
  report.waited = 50;
  return describe(report, "grid_barrier<sense>", 100);
}

}  // namespace

TEST_SUITE("grid_barrier") {
  TEST_CASE("a missed deadline names who is missing, as many as there is room for") {
    std::string const head = "deadline missed at grid_barrier<sense>: block 1 of 20 has waited for 500.000000 ms. ";
    CHECK(text_of(0).starts_with(head + "All blocks have arrived since"));
    CHECK(text_of(1).starts_with(head + "1 block has not arrived: 3. "));
    CHECK(text_of(2).starts_with(head + "2 blocks have not arrived: 3, 4. "));
    CHECK(text_of(8).starts_with(head + "8 blocks have not arrived: 3, 4, 5, 6, 7, 8, 9, 10. "));
    CHECK(text_of(9).starts_with(head + "9 blocks have not arrived: 3, 4, 5, 6, 7, 8, 9, 10, …. "));
  }
}
