// The environment variables of the host backend.
#include "host_support.hpp"

namespace {

FERMATA_KERNEL tell_wave_size(unsigned* out) {
  if (fm::this_grid().thread_rank() == 0) *out = fm::wave::size();
}

FERMATA_KERNEL nothing() {}

FERMATA_KERNEL order_of_lanes(unsigned* next, unsigned* order) {
  // One operation a lane, so that the order is that of the schedule.
  unsigned const place = fm::device_atomic_ref<unsigned>(*next).fetch_add(1, fm::memory_order_relaxed);
  order[place] = fm::this_block().thread_rank();
}

std::vector<unsigned> order_under(char const* schedule, char const* seed) {
  test::with_variable const how("FERMATA_HOST_SCHEDULE", schedule), from("FERMATA_HOST_SEED", seed);
  auto next = test::filled<unsigned>(1), order = test::filled<unsigned>(64);
  test::run({1, 64}, order_of_lanes, next.data(), order.data());
  return test::downloaded(order);
}

}  // namespace

TEST_CASE("host: settings that are not legal are refused, and the message says what is") {
  struct {
    char const* variable;
    char const* value;
    char const* legal;
  } const cases[] = {
      {"FERMATA_HOST_WAVE", "48", "32 or 64"},
      {"FERMATA_HOST_WAVE", "32 ", "32 or 64"},
      {"FERMATA_HOST_RESIDENT_BLOCKS", "0", "a number from 1 to 65536"},
      {"FERMATA_HOST_RESIDENT_BLOCKS", "many", "a number from 1 to 65536"},
      {"FERMATA_HOST_WORKERS", "-1", "a number from 1 to 1024"},
      {"FERMATA_HOST_SCHEDULE", "pct", "fair or random"},
      {"FERMATA_HOST_SEED", "0x1", "a number from 0"},
      {"FERMATA_HOST_WATCHDOG_MS", "0", "a number from 1"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.variable);
    CAPTURE(c.value);
    test::with_variable const set(c.variable, c.value);
    auto const query = test::error_of([] { fm::device(); });
    CHECK(query.code == fm::errc::invalid_argument);
    CHECK(query.mentions(c.variable));
    CHECK(query.mentions(c.legal));
    CHECK(test::error_of([] { fm::launch(test::queue(), {1, 1}, nothing); }).code == fm::errc::invalid_argument);
  }
  test::run({1, 1}, nothing);
}

TEST_CASE("host: the width of a wave is chosen for each launch") {
  auto out = test::filled<unsigned>(1);
  for (unsigned width : {64u, 32u, 64u}) {
    test::with_variable const wave("FERMATA_HOST_WAVE", std::to_string(width));
    CHECK(fm::device().wave_size() == width);
    test::run({2, 100}, tell_wave_size, out.data());
    CHECK(test::downloaded(out)[0] == width);
  }
}

TEST_CASE("host: the number of workers and of resident blocks is what the device tells") {
  test::with_variable const workers("FERMATA_HOST_WORKERS", "3"), resident("FERMATA_HOST_RESIDENT_BLOCKS", "5");
  fm::device const gpu;
  CHECK(gpu.name() == "fermata host (3 workers)");
  CHECK(gpu.info().multiprocessors == 3);
  CHECK(fm::max_resident_blocks(gpu, nothing, 64) == 5);
  fm::launch_cooperative(test::queue(), {5, 64}, nothing);
  auto const refused = test::error_of([] { fm::launch_cooperative(test::queue(), {6, 64}, nothing); });
  CHECK(refused.code == fm::errc::too_many_blocks);
  CHECK(refused.mentions("6 blocks"));
  CHECK(refused.mentions("only 5"));
  test::queue().synchronize();
}

TEST_CASE("host: there is one device") {
  CHECK(fm::device::count() == 1);
  CHECK(test::error_of([] { fm::device(1); }).code == fm::errc::no_device);
}

TEST_CASE("host: the random schedule is chosen by its seed") {
  auto const fair = order_under("fair", "1"), one = order_under("random", "1"), two = order_under("random", "2");
  for (unsigned i = 0; i < 64; ++i) CHECK(fair[i] == i);
  CHECK(one != fair);
  CHECK(one != two);
  CHECK(one == order_under("random", "1"));
}
