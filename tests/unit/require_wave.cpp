// A kernel that needs one width of the wave is refused by a device of the other.
#include "support.hpp"

namespace {

template <class T, unsigned Width>
FERMATA_KERNEL width_is(T* out) {
  *out = fm::wave::size() == Width ? T{1} : T{2};
}

FERMATA_KERNEL any_width(unsigned* out) { *out = fm::wave::size(); }
FERMATA_KERNEL needs_32(unsigned* out) { *out = fm::wave::size(); }

FERMATA_REQUIRE_WAVE(32, needs_32, width_is<unsigned, 32>);
FERMATA_REQUIRE_WAVE(64, width_is<unsigned, 64>);

// Of a launch that must go well where the device has this width, and be refused elsewhere.
template <class Launch>
void check_refusal(unsigned width, char const* name, Launch launch) {
  if (test::wave_size() == width) {
    launch();
    return;
  }
  auto const refused = test::error_of(launch);
  CHECK(refused.code == fm::errc::unsupported);
  CHECK(refused.mentions(std::string("the kernel ") + name + " needs"));
  CHECK(refused.mentions("waves of " + std::to_string(width) + " lanes"));
  CHECK(refused.mentions("have " + std::to_string(test::wave_size())));
  CHECK(refused.mentions(test::gpu().name()));
  test::queue().synchronize();
}

}  // namespace

TEST_SUITE("launch") {
  TEST_CASE("a launch to a device of the other width is refused") {
    auto out = test::filled<unsigned>(1);
    check_refusal(32, "needs_32", [&] { test::run({1, 1}, needs_32, out.data()); });
    CHECK(test::downloaded(out)[0] == (test::wave_size() == 32 ? 32 : 0));
    check_refusal(32, "width_is<unsigned, 32>", [&] { test::run({1, 1}, width_is<unsigned, 32>, out.data()); });
    check_refusal(64, "width_is<unsigned, 64>", [&] { test::run({1, 1}, width_is<unsigned, 64>, out.data()); });
    // One of the two has run.
    CHECK(test::downloaded(out)[0] == 1);
    check_refusal(32, "needs_32", [&] { test::run_cooperative({1, 1}, needs_32, out.data()); });
  }

  TEST_CASE("others run on every width") {
    auto out = test::filled<unsigned>(1);
    test::run({1, 1}, any_width, out.data());
    CHECK(test::downloaded(out)[0] == test::wave_size());
    test::run({1, 1}, width_is<unsigned, 16>, out.data());
    CHECK(test::downloaded(out)[0] == 2);
  }
}
