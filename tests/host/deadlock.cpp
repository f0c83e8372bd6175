// The host backend ends launches that cannot end, and leaves those alone that can.
#include <chrono>
#include <fermata/backend/exchange.hpp>

#include "host_support.hpp"

namespace {

using flag = fm::device_atomic_ref<unsigned>;
using seconds = std::chrono::duration<double>;

// Block 0 waits for block 1.
FERMATA_KERNEL wait_for_next_block(unsigned* word) {
  if (fm::this_grid().block_rank() == 0)
    flag(*word).wait(0, fm::memory_order_acquire);
  else
    flag(*word).store(1, fm::memory_order_release);
}

FERMATA_KERNEL spin_for_next_block(unsigned* word) {
  if (fm::this_grid().block_rank() == 0) {
    while (flag(*word).load(fm::memory_order_acquire) == 0) {
    }
  } else {
    flag(*word).store(1, fm::memory_order_release);
  }
}

FERMATA_KERNEL take_lock_twice(unsigned* word) {
  for (int i = 0; i < 2; ++i) {
    unsigned expected = 0;
    while (!flag(*word).compare_exchange_weak(expected, 1, fm::memory_order_acquire)) expected = 0;
  }
}

FERMATA_KERNEL exchange_lock_twice(unsigned* word) {
  for (int i = 0; i < 2; ++i) {
    while (flag(*word).exchange(1, fm::memory_order_acquire) != 0) {
    }
  }
}

// Polls many words in turn, none of which ever changes, and stores what is there already.
FERMATA_KERNEL scan_for_ever(unsigned* words, unsigned count) {
  for (unsigned i = 0;; i = (i + 1) % count) {
    if (flag(words[i]).load(fm::memory_order_relaxed) != 0) return;
    flag(words[0]).store(0, fm::memory_order_relaxed);
  }
}

FERMATA_KERNEL leader_waits_others_at_barrier(unsigned* word) {
  if (fm::this_block().thread_rank() == 0) flag(*word).wait(7, fm::memory_order_acquire);
  fm::this_block().sync();
}

FERMATA_KERNEL poll_sixteen_bytes(unsigned* words) {
  while (fm::backend::load_words<fm::thread_scope_device>(words).w[3] == 0) {
  }
}

FERMATA_KERNEL wait_for_host(unsigned* word) {
  fm::system_atomic_ref<unsigned>(*word).wait(0, fm::memory_order_acquire);
}

FERMATA_KERNEL spin_until_time(unsigned* word, std::uint64_t ticks) {
  std::uint64_t const start = fm::wall_clock();
  while (fm::wall_clock() - start < ticks && flag(*word).load(fm::memory_order_relaxed) == 0) {
  }
}

// One lane reads the same word again and again, the others wait for it.
FERMATA_KERNEL bounded_spin(unsigned* word, unsigned reads, unsigned* sum) {
  if (fm::this_block().thread_rank() == 0)
    for (unsigned i = 0; i < reads; ++i) *sum += flag(*word).load(fm::memory_order_relaxed);
  fm::this_block().sync();
}

// A lane that computes for long, without a word to the library, holds the others up and is no deadlock.
FERMATA_KERNEL long_computation(unsigned* word, std::uint64_t steps) {
  if (fm::this_grid().block_rank() == 0) {
    flag(*word).wait(0, fm::memory_order_acquire);
    return;
  }
  while (flag(*word).load(fm::memory_order_relaxed) != 0) {
  }
  std::uint64_t x = 1;
  for (std::uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  flag(*word).store(static_cast<unsigned>(x | 1), fm::memory_order_release);
}

struct timed {
  test::caught error;
  double seconds;
};

template <class... P, class... A>
timed timed_error(fm::launch_config const& config, void (*kernel)(P...), A&&... args) {
  auto const start = std::chrono::steady_clock::now();
  test::caught const error = test::error_of_kernel(config, kernel, std::forward<A>(args)...);
  return {error, seconds(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace

TEST_CASE("host: blocks that wait for a block that cannot start end in a deadlock within a second") {
  test::with_variable const resident("FERMATA_HOST_RESIDENT_BLOCKS", "1");
  auto kernel = wait_for_next_block;
  SUBCASE("waiting") {}
  SUBCASE("spinning") { kernel = spin_for_next_block; }
  auto word = test::filled<unsigned>(1);
  auto const [error, time] = timed_error({2, 1}, kernel, word.data());
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("1 of 2 blocks are resident, 1 have not started"));
  CHECK(error.mentions("FERMATA_HOST_RESIDENT_BLOCKS=1"));
  CHECK(error.mentions("launch_cooperative"));
  CHECK(error.mentions("block (0, 0, 0), wave 0, lane 0"));
  CHECK(error.mentions("last seen as 0x0"));
  CHECK(time < 1.0);

  test::with_variable const two("FERMATA_HOST_RESIDENT_BLOCKS", "2");
  test::run({2, 1}, kernel, word.data());
}

TEST_CASE("host: waits that nobody ends are deadlocks, however they are written") {
  auto words = test::filled<unsigned>(1000);
  timed result;
  SUBCASE("compare-exchange") { result = timed_error({1, 1}, take_lock_twice, words.data()); }
  SUBCASE("exchange") { result = timed_error({1, 1}, exchange_lock_twice, words.data()); }
  SUBCASE("many words in turn") { result = timed_error({2, 64}, scan_for_ever, words.data(), words.size()); }
  SUBCASE("sixteen bytes") {
    result = timed_error({1, 1}, poll_sixteen_bytes, words.data());
    CHECK(result.error.mentions("All 1 blocks have started, 1 still wait."));
  }
  SUBCASE("thousands of lanes") { result = timed_error({16, 256}, poll_sixteen_bytes, words.data()); }
  if (result.error.code != fm::errc::deadlock) MESSAGE(result.error.message);
  CHECK(result.error.code == fm::errc::deadlock);
  CHECK(result.error.mentions("at 0x"));
  CHECK(result.seconds < 5.0);
}

TEST_CASE("host: the report of a deadlock says who waits at a barrier, too") {
  auto word = test::filled<unsigned>(1);
  fm::buffer<unsigned> seven = test::uploaded<unsigned>({7});
  auto const error = test::error_of_kernel({1, 96}, leader_waits_others_at_barrier, seven.data());
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("lane 0: waits for the 4-byte word"));
  CHECK(error.mentions("last seen as 0x7"));
  CHECK(error.mentions("95 of 96 threads wait at this_block().sync()"));
}

TEST_CASE("host: a kernel that waits for the host gets the time of the watchdog") {
  test::with_variable const watchdog("FERMATA_HOST_WATCHDOG_MS", "900");
  auto word = test::filled<unsigned>(1);
  auto const [error, time] = timed_error({1, 1}, wait_for_host, word.data());
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("system scope"));
  CHECK(time > 0.85);
  CHECK(time < 2.0);
}

TEST_CASE("host: what ends by itself is no deadlock") {
  auto word = test::filled<unsigned>(1);
  SUBCASE("a loop with a clock") { test::run({2, 2}, spin_until_time, word.data(), std::uint64_t{700000000}); }
  SUBCASE("a bounded loop of equal reads") {
    auto sum = test::filled<unsigned>(1);
    test::run({1, 256}, bounded_spin, word.data(), 200000u, sum.data());
  }
  SUBCASE("a long computation") {
    test::run_cooperative({2, 1}, long_computation, word.data(), std::uint64_t{600000000});
  }
}
