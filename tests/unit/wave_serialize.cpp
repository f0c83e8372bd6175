// Lanes one after the other, and a lock for each of them.
#include "support.hpp"

#include <fermata/wave_serialize.hpp>

namespace {

// Every lane of every wave takes the lock and counts with plain accesses.
FERMATA_KERNEL count_under_lock(unsigned* lock, unsigned* count, unsigned rounds) {
  fm::device_atomic_ref<unsigned> const word(*lock);
  for (unsigned i = 0; i < rounds; ++i)
    fm::wave_serialize([&] {
      unsigned free = 0;
      while (!word.compare_exchange_weak(free, 1u, fm::memory_order_acquire, fm::memory_order_relaxed)) free = 0;
      *count = *count + 1;
      word.store(0u, fm::memory_order_release);
    });
}

// Many locks at once: a lane takes that of its own bucket.
FERMATA_KERNEL count_in_buckets(unsigned* locks, unsigned* counts, unsigned buckets) {
  unsigned const bucket = test::mix(static_cast<unsigned>(fm::this_grid().thread_rank())) % buckets;
  fm::device_atomic_ref<unsigned> const word(locks[bucket]);
  fm::wave_serialize([&] {
    while (word.exchange(1u, fm::memory_order_acquire) != 0) {
    }
    counts[bucket] = counts[bucket] + 1;
    word.store(0u, fm::memory_order_release);
  });
}

// Each lane adds itself to a list in shared memory that the lane before it has left behind, with no atomics at all.
FERMATA_KERNEL line_up(unsigned* order, unsigned* lengths, std::uint64_t mask) {
  FERMATA_SHARED(length, unsigned[32]);
  unsigned const thread = fm::this_block().thread_rank(), lane = fm::this_wave().lane();
  unsigned const wave = thread / fm::wave::size(), first = thread - lane;
  if (lane == 0) length[wave] = 0;
  fm::this_wave().sync();
  if ((mask >> lane) & 1) fm::wave_serialize([&] { order[first + length[wave]++] = lane; });
  fm::this_wave().sync();
  lengths[thread] = length[wave];
}

}  // namespace

TEST_SUITE("wave_serialize") {
  TEST_CASE("a lock taken by every lane counts exactly") {
    unsigned const blocks = 8, threads = 3 * test::wave_size() / 2, rounds = 3;
    auto lock = test::filled<unsigned>(1), count = test::filled<unsigned>(1);
    test::run({blocks, threads}, count_under_lock, lock.data(), count.data(), rounds);
    CHECK(test::downloaded(count)[0] == blocks * threads * rounds);
    CHECK(test::downloaded(lock)[0] == 0);
  }

  TEST_CASE("a lock for each bucket") {
    unsigned const blocks = 8, threads = 128, buckets = 13;
    auto locks = test::filled<unsigned>(buckets), counts = test::filled<unsigned>(buckets);
    test::run({blocks, threads}, count_in_buckets, locks.data(), counts.data(), buckets);
    std::vector<unsigned> want(buckets, 0);
    for (unsigned i = 0; i < blocks * threads; ++i) ++want[test::mix(i) % buckets];
    CHECK(test::difference(counts, want) == "");
  }

  TEST_CASE("the lanes that are here, from the lowest to the highest") {
    unsigned const width = test::wave_size(), threads = 4 * width;
    for (std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{0x8000000080000001}, std::uint64_t{0x5A5A00FF12345678},
                               std::uint64_t{1} << (width - 1)}) {
      CAPTURE(mask);
      auto order = test::filled<unsigned>(threads), lengths = test::filled<unsigned>(threads, 0xCD);
      test::run({1, threads}, line_up, order.data(), lengths.data(), mask);
      std::vector<unsigned> want(threads, 0);
      unsigned count = 0;
      for (unsigned wave = 0; wave < 4; ++wave) {
        count = 0;
        for (unsigned lane = 0; lane < width; ++lane)
          if ((mask >> lane) & 1) want[wave * width + count++] = lane;
      }
      CHECK(test::difference(order, want) == "");
      CHECK(test::difference(lengths, std::vector<unsigned>(threads, count)) == "");
    }
  }
}
