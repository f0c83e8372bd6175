// The host side: devices, memory, streams, events, graphs, and device globals.
#include <atomic>
#include <thread>

#include "support.hpp"

namespace {

FERMATA_GLOBAL(visits, unsigned);
FERMATA_GLOBAL(history, unsigned[4][8]);

FERMATA_KERNEL count_visit() { fm::device_atomic_ref<unsigned>(visits).fetch_add(1, fm::memory_order_relaxed); }
FERMATA_KERNEL read_visits(unsigned* out) { *out = visits; }
FERMATA_KERNEL write_history(unsigned base) {
  unsigned const i = fm::this_block().thread_rank();
  history[i / 8][i % 8] += base + i;
}
FERMATA_KERNEL read_history(unsigned* out) {
  unsigned const i = fm::this_block().thread_rank();
  out[i] = history[i / 8][i % 8];
}

FERMATA_KERNEL times_three_plus(unsigned* values, unsigned addend) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  values[i] = values[i] * 3 + addend;
}

FERMATA_KERNEL keep_busy(unsigned* out, unsigned rounds) {
  unsigned x = fm::this_block().thread_rank();
  for (unsigned i = 0; i < rounds; ++i) x = test::mix(x + i);
  out[fm::this_grid().thread_rank()] = x;
}

std::vector<int> numbers(int count) {
  std::vector<int> result;
  for (int i = 0; i < count; ++i) result.push_back(i * i - 7);
  return result;
}

}  // namespace

TEST_SUITE("runtime") {
  TEST_CASE("the device describes itself") {
    fm::device const gpu;
    CHECK(gpu.index() == 0);
    CHECK(fm::device::count() >= 1);
    CHECK(!gpu.name().empty());
    CHECK(!gpu.info().vendor.empty());
    CHECK(!gpu.info().arch.empty());
    CHECK(!gpu.info().driver.empty());
    CHECK(gpu.info().multiprocessors >= 1);
    CHECK(gpu.info().max_threads_per_block >= 1024);
    CHECK(gpu.info().shared_bytes_per_block >= 48 * 1024);
    CHECK(gpu.info().cooperative_launch);
    CHECK(gpu.wave_size() == gpu.info().wave_size);
    gpu.synchronize();
  }

  TEST_CASE("a device that does not exist") {
    for (int index : {fm::device::count(), -1, 1000}) {
      test::caught const e = test::error_of([&] { fm::device const none(index); });
      INFO(e.message);
      CHECK(e.code == fm::errc::no_device);
      CHECK(e.mentions(std::to_string(index)));
    }
  }

  TEST_CASE("errors carry a code and say whose they are") {
    fm::error const e(fm::errc::unsupported, "no such thing");
    CHECK(e.code() == fm::errc::unsupported);
    CHECK(std::string(e.what()) == "fermata: no such thing");
  }

  TEST_CASE("what is uploaded is downloaded") {
    std::vector<int> const values = numbers(1000);
    fm::buffer<int> b(test::gpu(), 1000);
    CHECK(b.size() == 1000);
    CHECK(b.size_bytes() == 1000 * sizeof(int));
    b.upload(test::queue(), values);
    CHECK(b.download(test::queue()) == values);
    std::vector<int> again(1000);
    b.download(test::queue(), std::span<int>(again));
    CHECK(again == values);
    CHECK(fm::buffer<int>(test::queue(), values).download(test::queue()) == values);
  }

  TEST_CASE("fill and fill_bytes") {
    fm::buffer<std::uint32_t> b(test::gpu(), 77);
    b.fill_bytes(test::queue(), 0xAB);
    CHECK(b.download(test::queue()) == std::vector<std::uint32_t>(77, 0xABABABABu));
    b.fill(test::queue(), 123456);
    CHECK(b.download(test::queue()) == std::vector<std::uint32_t>(77, 123456));
  }

  TEST_CASE("buffers are aligned, movable, and may be empty") {
    for (std::size_t count : {1u, 3u, 1000u}) {
      fm::buffer<char> const b(test::gpu(), count);
      CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % 256 == 0);
    }
    std::vector<int> const values = numbers(10), others = numbers(20);
    fm::buffer<int> a(test::queue(), values), b(test::queue(), others);
    int* const where = a.data();
    fm::buffer<int> moved(std::move(a));
    CHECK(moved.data() == where);
    CHECK(moved.download(test::queue()) == values);
    CHECK(a.data() == nullptr);
    CHECK(a.size() == 0);
    b = std::move(moved);
    CHECK(b.data() == where);
    CHECK(b.download(test::queue()) == values);

    fm::buffer<int> const empty(test::gpu(), 0);
    CHECK(empty.size() == 0);
    CHECK(empty.download(test::queue()).empty());
  }

  TEST_CASE("copies of the wrong size are refused, with both sizes") {
    fm::buffer<int> b(test::queue(), std::vector<int>(10, 42));
    test::caught const up = test::error_of([&] { b.upload(test::queue(), std::vector<int>(11)); });
    CHECK(up.code == fm::errc::invalid_argument);
    CHECK(up.mentions("11"));
    CHECK(up.mentions("10"));
    std::vector<int> nine(9, -1);
    CHECK(test::error_of([&] { b.download(test::queue(), std::span<int>(nine)); }).code == fm::errc::invalid_argument);
    CHECK(nine == std::vector<int>(9, -1));
    CHECK(b.download(test::queue()) == std::vector<int>(10, 42));
  }

  TEST_CASE("too much memory is refused, with its size, and less is granted afterwards") {
    std::size_t const bytes = std::size_t{1} << 50;
    test::caught const e = test::error_of([&] { fm::buffer<char> const b(test::gpu(), bytes); });
    INFO(e.message);
    CHECK(e.code == fm::errc::out_of_memory);
    CHECK(e.mentions(std::to_string(bytes)));
    CHECK(test::downloaded(test::uploaded(numbers(5))) == numbers(5));
  }

  TEST_CASE("work in one stream runs in order") {
    auto values = test::uploaded(std::vector<unsigned>(256, 1));
    unsigned expected = 1;
    for (unsigned step = 0; step < 100; ++step) {
      fm::launch(test::queue(), {4, 64}, times_three_plus, values.data(), step);
      expected = expected * 3 + step;
    }
    // Copies take their turn in the stream.
    CHECK(test::difference(values, std::vector<unsigned>(256, expected)) == "");
    fm::launch(test::queue(), {4, 64}, times_three_plus, values.data(), 1u);
    values.fill_bytes(test::queue(), 0);
    fm::launch(test::queue(), {4, 64}, times_three_plus, values.data(), 5u);
    CHECK(test::difference(values, std::vector<unsigned>(256, 5u)) == "");
  }

  TEST_CASE("streams are movable, and may borrow a native one") {
    fm::stream first(test::gpu());
    fm::stream second(std::move(first));
    auto values = test::uploaded(std::vector<unsigned>(64, 2));
    fm::launch(second, {1, 64}, times_three_plus, values.data(), 1u);
    {
      fm::stream const borrowed(test::gpu(), second.native());
      fm::launch(borrowed, {1, 64}, times_three_plus, values.data(), 2u);
    }
    fm::launch(second, {1, 64}, times_three_plus, values.data(), 3u);  // the borrower has not destroyed it
    second.synchronize();
    CHECK(test::difference(values, std::vector<unsigned>(64, ((2 * 3 + 1) * 3 + 2) * 3 + 3)) == "");
    first = std::move(second);
    fm::launch(first, {1, 64}, times_three_plus, values.data(), 0u);
    test::gpu().synchronize();
    CHECK(test::downloaded(values)[63] == (((2 * 3 + 1) * 3 + 2) * 3 + 3) * 3);
  }

  TEST_CASE("events measure what lies between them") {
    fm::event start(test::gpu()), middle(test::gpu()), stop(test::gpu());
    auto out = test::filled<unsigned>(64);
    start.record(test::queue());
    fm::launch(test::queue(), {1, 64}, keep_busy, out.data(), 20000u);
    middle.record(test::queue());
    fm::launch(test::queue(), {1, 64}, keep_busy, out.data(), 20000u);
    stop.record(test::queue());
    stop.synchronize();
    double const half = middle.microseconds_since(start), whole = stop.microseconds_since(start);
    CHECK(half > 0);
    CHECK(whole > half);
    CHECK(whole < 30e6);
    CHECK(stop.microseconds_since(stop) == 0);
  }

  TEST_CASE("a graph records without running, and replays as often as it is launched") {
    auto values = test::uploaded(std::vector<unsigned>(64, 1));
    fm::stream const s(test::gpu());
    fm::graph recorded = fm::graph::capture(s, [&] {
      fm::launch(s, {1, 64}, times_three_plus, values.data(), 1u);
      fm::launch(s, {1, 64}, times_three_plus, values.data(), 2u);
    });
    s.synchronize();
    CHECK(test::difference(values, std::vector<unsigned>(64, 1u)) == "");
    unsigned expected = 1;
    for (unsigned replay = 0; replay < 7; ++replay) {
      recorded.launch(s);
      expected = (expected * 3 + 1) * 3 + 2;
    }
    s.synchronize();
    CHECK(test::difference(values, std::vector<unsigned>(64, expected)) == "");

    fm::graph const moved(std::move(recorded));
    moved.launch(s);
    s.synchronize();
    CHECK(test::difference(values, std::vector<unsigned>(64, (expected * 3 + 1) * 3 + 2)) == "");
  }

  TEST_CASE("a capture that fails leaves the stream usable") {
    auto values = test::uploaded(std::vector<unsigned>(64, 1));
    fm::stream const s(test::gpu());
    CHECK_THROWS_AS(fm::graph::capture(s,
                                       [&] {
                                         fm::launch(s, {1, 64}, times_three_plus, values.data(), 1u);
                                         throw std::runtime_error("the user's own");
                                       }),
                    std::runtime_error);
    fm::launch(s, {1, 64}, times_three_plus, values.data(), 2u);
    s.synchronize();
    CHECK(test::difference(values, std::vector<unsigned>(64, 5u)) == "");
  }

  TEST_CASE("several host threads, each with a stream of its own") {
    constexpr unsigned threads = 4, steps = 50;
    std::vector<std::string> differences(threads, "did not finish");
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t)
      workers.emplace_back([t, &differences] {
        try {
          fm::device const gpu;
          fm::stream const s(gpu);
          fm::buffer<unsigned> values(s, std::vector<unsigned>(128, t));
          unsigned expected = t;
          for (unsigned step = 0; step < steps; ++step) {
            fm::launch(s, {2, 64}, times_three_plus, values.data(), step + t);
            expected = expected * 3 + step + t;
            if (step % 10 == 0) s.synchronize();
          }
          differences[t] = test::difference(values.download(s), std::vector<unsigned>(128, expected));
        } catch (std::exception const& e) {
          differences[t] = e.what();
        }
      });
    for (std::thread& worker : workers) worker.join();
    for (unsigned t = 0; t < threads; ++t) CHECK(differences[t] == "");
  }

  TEST_CASE("device globals start at zero and last from kernel to kernel") {
    auto out = test::filled<unsigned>(1, 0xFF);
    test::run({1, 1}, read_visits, out.data());
    CHECK(test::difference(out, std::vector<unsigned>{0}) == "");
    test::run({3, 50}, count_visit);
    test::run({1, 7}, count_visit);
    test::run({1, 1}, read_visits, out.data());
    CHECK(test::difference(out, std::vector<unsigned>{157}) == "");

    auto past = test::filled<unsigned>(32, 0xFF);
    test::run({1, 32}, write_history, 100u);
    test::run({1, 32}, write_history, 1000u);
    test::run({1, 32}, read_history, past.data());
    std::vector<unsigned> want;
    for (unsigned i = 0; i < 32; ++i) want.push_back(1100 + 2 * i);
    CHECK(test::difference(past, want) == "");
  }
}
