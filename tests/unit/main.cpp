// Runs the unit tests on the first device. Beside doctest's options:
//   --wave=N   fail unless the device's wave has N lanes
//
// Exit status: 0 all passed · 1 something failed, or nothing was tested · 77 no device, nothing could be tested.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "../run_counter.hpp"
#include "support.hpp"

namespace {

std::unique_ptr<test::context> active;

REGISTER_LISTENER("run_counter", 1, test::run_counter);

// The N of --wave=N, 0 if the option is not there.
unsigned expected_wave(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument.rfind("--wave=", 0) == 0)
      return static_cast<unsigned>(std::strtoul(argument.c_str() + 7, nullptr, 10));
  }
  return 0;
}

}  // namespace

test::context& test::current() { return *active; }

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  if (context.shouldExit()) return context.run();  // a query, such as --list-test-cases

  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    active = std::make_unique<test::context>();
  } catch (fm::error const& e) {
    std::printf("FAIL: the device cannot be used: %s\n", e.what());
    return 1;
  }
  fm::device const& gpu = test::gpu();
  std::printf("device: %s, waves of %u lanes\n", gpu.name().c_str(), gpu.wave_size());
  if (unsigned const wave = expected_wave(argc, argv); wave != 0 && wave != gpu.wave_size()) {
    std::printf("FAIL: --wave=%u was asked for, the device's wave has %u lanes\n", wave, gpu.wave_size());
    return 1;
  }

  int status = context.run();
  active.reset();
  if (test::run_counter::ran == 0 || test::run_counter::assertions == 0) {
    std::puts("FAIL: no test case ran; check the filters");
    status = 1;
  }
  return status;
}
