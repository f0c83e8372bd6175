// Launches: shapes, arguments, what is refused, and the clocks that kernels read.
#include "support.hpp"

namespace {

FERMATA_KERNEL count_threads(unsigned* blocks, unsigned* threads) {
  if (fm::this_block().thread_rank() == 0)
    fm::device_atomic_ref<unsigned>(*blocks).fetch_add(1, fm::memory_order_relaxed);
  fm::device_atomic_ref<unsigned>(*threads).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL visit(unsigned char* visits) { visits[fm::this_grid().thread_rank()] += 1; }

FERMATA_KERNEL_BOUNDS(128) visit_bounded(unsigned char* visits) { visits[fm::this_grid().thread_rank()] += 1; }
FERMATA_KERNEL_BOUNDS(64, 2) visit_bounded_twice(unsigned char* visits) { visits[fm::this_grid().thread_rank()] += 1; }

// Parameters of many kinds, to which the arguments convert.
struct parameters {
  double weight;
  std::int16_t code;
  unsigned char name[5];
};
struct outcome {
  double number;
  std::int64_t sum;
  unsigned char name[8];
};
enum class mode : unsigned char { quiet, loud };

FERMATA_KERNEL keep_arguments(outcome* out, parameters p, float f, std::int64_t wide, unsigned char narrow, bool flag,
                              mode m, int const* pointer) {
  out->number = p.weight + f;
  out->sum = wide + p.code + narrow + (flag ? 1000 : 0) + (m == mode::loud ? 10000 : 0) + *pointer;
  for (unsigned i = 0; i < 5; ++i) out->name[i] = p.name[i];
  for (unsigned i = 5; i < 8; ++i) out->name[i] = 0;
}

FERMATA_KERNEL no_arguments() {}

// A large argument, as kernels that take tables by value have.
struct table {
  unsigned entry[200];
};
FERMATA_KERNEL look_up(table t, unsigned* out) {
  out[fm::this_block().thread_rank()] = t.entry[fm::this_block().thread_rank()];
}

template <class T, int Factor>
FERMATA_KERNEL scale(T* values) {
  values[fm::this_grid().thread_rank()] *= Factor;
}

// A function object as an argument.
struct twice_plus {
  unsigned offset;
  FERMATA_FN unsigned operator()(unsigned x) const { return 2 * x + offset; }
};
template <class F>
FERMATA_KERNEL apply(unsigned* out, F f) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  out[i] = f(i);
}

FERMATA_KERNEL leave_early(unsigned* out) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i % 3 == 1) return;
  out[i] = i;
}

FERMATA_KERNEL read_clocks(std::uint64_t* wall, std::uint64_t* cycle, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    wall[i] = fm::wall_clock();
    cycle[i] = fm::cycle_clock();
  }
}

fm::errc refused(fm::launch_config const& config) {
  auto counts = test::filled<unsigned>(2);
  test::caught const e =
      test::error_of([&] { fm::launch(test::queue(), config, count_threads, counts.data(), counts.data() + 1); });
  INFO(e.message);
  CHECK(e.mentions("launch"));
  test::queue().synchronize();
  CHECK(test::difference(counts, std::vector<unsigned>{0, 0}) == "");
  return e.code;
}

}  // namespace

// Shapes are the same if all three extents are.
static_assert(fm::dim3{1, 2, 3} == fm::dim3{1, 2, 3} && fm::dim3{4} == fm::dim3{4, 1, 1});
static_assert(fm::dim3{1, 2, 3} != fm::dim3{9, 2, 3} && fm::dim3{1, 2, 3} != fm::dim3{1, 9, 3} &&
              fm::dim3{1, 2, 3} != fm::dim3{1, 2, 9});

TEST_SUITE("launch") {
  TEST_CASE("every thread of every block runs once") {
    for (unsigned blocks : {1u, 2u, 3u, 64u, 1000u})
      for (unsigned threads : {1u, 33u, 64u}) {
        CAPTURE(blocks);
        CAPTURE(threads);
        auto visits = test::filled<unsigned char>(blocks * threads);
        test::run({blocks, threads}, visit, visits.data());
        CHECK(test::difference(visits, std::vector<unsigned char>(blocks * threads, 1)) == "");
      }
  }

  TEST_CASE("the largest blocks") {
    unsigned const most = test::gpu().info().max_threads_per_block;
    auto visits = test::filled<unsigned char>(3 * most);
    test::run({3, most}, visit, visits.data());
    CHECK(test::difference(visits, std::vector<unsigned char>(3 * most, 1)) == "");
  }

  TEST_CASE("grids and blocks in more than one dimension") {
    auto counts = test::filled<unsigned>(2);
    test::run({{4, 3, 2}, {5, 3, 4}}, count_threads, counts.data(), counts.data() + 1);
    CHECK(test::difference(counts, std::vector<unsigned>{24, 24 * 60}) == "");
  }

  TEST_CASE("launch bounds") {
    auto visits = test::filled<unsigned char>(256);
    test::run({2, 128}, visit_bounded, visits.data());
    test::run({4, 64}, visit_bounded_twice, visits.data());
    CHECK(test::difference(visits, std::vector<unsigned char>(256, 2)) == "");
  }

  TEST_CASE("arguments are converted to the parameters' types and copied") {
    auto out = test::filled<outcome>(1, 0xCD);
    auto pointee = test::uploaded(std::vector<int>{7});
    parameters p{0.25, -3, {'a', 'b', 'c', 'd', 'e'}};
    // double to float, int to 64 bits, int to a byte, a pointer to a pointer to const.
    int* const pointer = pointee.data();
    fm::launch(test::queue(), {1, 1}, keep_arguments, out.data(), p, 1.5, 1 << 20, 200, true, mode::loud, pointer);
    p = {};  // the launch has its own copy
    test::queue().synchronize();
    outcome want{};
    want.number = 1.75;
    want.sum = (1 << 20) - 3 + 200 + 1000 + 10000 + 7;
    std::memcpy(want.name, "abcde", 5);
    CHECK(test::difference(out, std::vector<outcome>{want}) == "");
  }

  TEST_CASE("kernels without arguments, with large ones, with function objects, and templates") {
    test::run({3, 70}, no_arguments);

    table t;
    std::vector<unsigned> entries;
    for (unsigned i = 0; i < 200; ++i) entries.push_back(t.entry[i] = test::mix(i));
    auto looked_up = test::filled<unsigned>(200);
    test::run({1, 200}, look_up, t, looked_up.data());
    CHECK(test::difference(looked_up, entries) == "");

    auto applied = test::filled<unsigned>(100);
    test::run({2, 50}, apply<twice_plus>, applied.data(), twice_plus{5});
    std::vector<unsigned> want_applied;
    for (unsigned i = 0; i < 100; ++i) want_applied.push_back(2 * i + 5);
    CHECK(test::difference(applied, want_applied) == "");

    auto floats = test::uploaded(std::vector<float>(8, 1.5f));
    auto longs = test::uploaded(std::vector<std::int64_t>(8, 1ll << 40));
    test::run({2, 4}, scale<float, 3>, floats.data());
    test::run({4, 2}, scale<std::int64_t, -2>, longs.data());
    CHECK(test::difference(floats, std::vector<float>(8, 4.5f)) == "");
    CHECK(test::difference(longs, std::vector<std::int64_t>(8, -(1ll << 41))) == "");
  }

  TEST_CASE("threads may leave a kernel early") {
    auto out = test::filled<unsigned>(300);
    test::run({3, 100}, leave_early, out.data());
    std::vector<unsigned> want;
    for (unsigned i = 0; i < 300; ++i) want.push_back(i % 3 == 1 ? 0 : i);
    CHECK(test::difference(out, want) == "");
  }

  TEST_CASE("shapes that the device does not take are refused, and nothing runs") {
    unsigned const most = test::gpu().info().max_threads_per_block;
    std::size_t const shared = test::gpu().info().shared_bytes_per_block;
    CHECK(refused({0, 32}) == fm::errc::invalid_argument);
    CHECK(refused({1, 0}) == fm::errc::invalid_argument);
    CHECK(refused({{1, 1, 0}, 32}) == fm::errc::invalid_argument);
    CHECK(refused({1, most + 1}) == fm::errc::invalid_argument);
    CHECK(refused({1, {most, 2}}) == fm::errc::invalid_argument);
    CHECK(refused({1, 32, shared + 1}) == fm::errc::invalid_argument);
  }

  TEST_CASE("the refusal names what was asked for and what is possible") {
    unsigned const most = test::gpu().info().max_threads_per_block;
    test::caught const e = test::error_of([&] { fm::launch(test::queue(), {1, most + 1}, no_arguments); });
    INFO(e.message);
    CHECK(e.mentions(std::to_string(most + 1)));
    CHECK(e.mentions(std::to_string(most)));
    CHECK(e.mentions(test::gpu().name()));
  }

  TEST_CASE("clocks do not go backwards, and the wall clock keeps its rate") {
    constexpr unsigned count = 2000;
    auto wall = test::filled<std::uint64_t>(count), cycle = test::filled<std::uint64_t>(count);
    test::run({1, 1}, read_clocks, wall.data(), cycle.data(), count);
    std::vector<std::uint64_t> const w = test::downloaded(wall), c = test::downloaded(cycle);
    unsigned backwards = 0;
    for (unsigned i = 1; i < count; ++i) backwards += (w[i] < w[i - 1]) + (c[i] < c[i - 1]);
    CHECK(backwards == 0);
    CHECK(c.back() > c.front());
    CHECK(test::gpu().info().wall_clock_rate >= 1e6);
    double const seconds = static_cast<double>(w.back() - w.front()) / test::gpu().info().wall_clock_rate;
    CHECK(seconds < 5.0);
  }
}
