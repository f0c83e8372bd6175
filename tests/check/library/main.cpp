// Runs the tests of the library under the checker. Exit status 1 if something failed or nothing was tested.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>

#include "../../run_counter.hpp"

REGISTER_LISTENER("run_counter", 1, test::run_counter);

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  int const status = context.run();
  if (context.shouldExit() || test::run_counter::ran != 0) return status;
  std::puts("FAIL: no test case ran; check the filters");
  return 1;
}
