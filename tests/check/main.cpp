// Runs the acceptance tests of the checker, and tells at the end by which schedules the bugs were found.
//
// Exit status: 0 all passed · 1 something failed, nothing was tested, or random schedules found too few of the bugs.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>

#include "../run_counter.hpp"
#include "support.hpp"

namespace {

REGISTER_LISTENER("run_counter", 1, test::run_counter);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  int status = context.run();
  if (context.shouldExit()) return status;  // a query, such as --list-test-cases
  if (test::run_counter::ran == 0) {
    std::puts("FAIL: no test case ran; check the filters");
    status = 1;
  }
  bool const all_ran = test::run_counter::ran == test::run_counter::registered;
  if (!test::print_findings(all_ran) && status == 0) status = 1;
  return status;
}
