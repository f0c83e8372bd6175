// Semaphores: never more holders than permits, and what one holder did is there for the next.
#include "support.hpp"

namespace {

using block_semaphore = fm::counting_semaphore<fm::thread_scope_block, 1000>;
using device_lock = fm::binary_semaphore<fm::thread_scope_device>;

// Reads a word twice; on the host the second read lets others run.
template <fm::thread_scope Scope>
FERMATA_DEVICE void linger(unsigned& word) {
  fm::atomic_ref<unsigned, Scope> const ref(word);
  for (unsigned i = 0; i < 2; ++i) (void)ref.load(fm::memory_order_relaxed);
}

struct counts {
  unsigned inside;     // holders at this moment
  unsigned most;       // the largest number of them; in the end, whether that was right
  unsigned crowded;    // how often there were more than permits
  unsigned sum;        // a plain counter, where a single permit makes a lock
  unsigned wave_sums;  // the same, written by all lanes of the holder
};

// Each wave enters a section `rounds` times, in the name of one lane.
template <class Semaphore>
FERMATA_DEVICE void enter_sections(Semaphore& semaphore, counts& c, unsigned permits, unsigned rounds) {
  constexpr fm::thread_scope scope = Semaphore::scope;
  using word = fm::atomic_ref<unsigned, scope>;
  auto const wave = fm::this_wave();
  bool const locks = permits == 1;
  for (unsigned round = 0; round < rounds; ++round) {
    if (wave.elect()) semaphore.acquire();
    wave.sync();
    if (wave.elect()) {
      unsigned const inside = word(c.inside).fetch_add(1, fm::memory_order_relaxed) + 1;
      word(c.most).fetch_max(inside, fm::memory_order_relaxed);
      if (inside > permits) word(c.crowded).fetch_add(1, fm::memory_order_relaxed);
      unsigned const before = locks ? c.sum : 0;
      linger<scope>(c.crowded);
      if (locks) c.sum = before + 1;
    }
    unsigned const last_lane = wave.live() - 1;
    if (wave.lane() == last_lane) {
      unsigned const before = locks ? c.wave_sums : 0;
      linger<scope>(c.crowded);
      if (locks) c.wave_sums = before + 1;
    }
    wave.sync();
    if (wave.elect()) {
      word(c.inside).fetch_sub(1, fm::memory_order_relaxed);
      semaphore.release();
    }
  }
}

template <class Semaphore>
FERMATA_KERNEL share_permits(counts* out, unsigned permits, unsigned rounds) {
  FERMATA_SHARED(semaphore, Semaphore);
  FERMATA_SHARED(c, counts);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) {
    semaphore.init(permits);
    c = {0, 0, 0, 0, 0};
  }
  block.sync();
  enter_sections(semaphore, c, permits, rounds);
  block.sync();
  if (block.thread_rank() != 0) return;
  // Only what no schedule can change.
  c.most = c.most >= 1 && c.most <= permits;
  *out = c;
}

FERMATA_KERNEL init_lock(device_lock* lock) { lock->init(1); }

FERMATA_KERNEL share_lock(device_lock* lock, counts* c, unsigned rounds) { enter_sections(*lock, *c, 1, rounds); }

// Every thread tries once; nobody gives back.
FERMATA_KERNEL try_once(unsigned* successes, unsigned permits) {
  FERMATA_SHARED(semaphore, block_semaphore);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) semaphore.init(permits);
  block.sync();
  unsigned const count = block.sync_count(semaphore.try_acquire());
  if (block.thread_rank() == 0) *successes = count;
}

FERMATA_KERNEL count_by_one_thread(unsigned* wrong) {
  FERMATA_SHARED(semaphore, block_semaphore);
  unsigned mismatches = 0;
  semaphore.init(2);
  mismatches += !semaphore.try_acquire() + !semaphore.try_acquire() + semaphore.try_acquire();
  semaphore.release();
  semaphore.acquire();
  mismatches += semaphore.try_acquire();
  semaphore.release(3);
  semaphore.acquire();
  mismatches += !semaphore.try_acquire() + !semaphore.try_acquire() + semaphore.try_acquire();
  mismatches += semaphore.max_count() != 1000 || device_lock::max_count() != 1;
  *wrong = mismatches;
}

// Wave 0 fills a ring of four slots, wave 1 empties it: one semaphore counts the free ones, one the full ones.
FERMATA_KERNEL pass_through_ring(unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(free_slots, block_semaphore);
  FERMATA_SHARED(full_slots, block_semaphore);
  FERMATA_SHARED(ring, unsigned[4][64]);
  auto const block = fm::this_block();
  auto const wave = fm::this_wave();
  bool const producer = block.thread_rank() < wave.size();
  if (block.thread_rank() == 0) {
    free_slots.init(4);
    full_slots.init(0);
  }
  block.sync();
  block_semaphore& own = producer ? free_slots : full_slots;
  block_semaphore& other = producer ? full_slots : free_slots;
  unsigned mismatches = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    if (wave.elect()) own.acquire();
    wave.sync();
    unsigned const source = wave.size() - 1 - wave.lane();
    if (producer)
      ring[round % 4][wave.lane()] = test::mix(round * 64 + wave.lane());
    else
      mismatches += ring[round % 4][source] != test::mix(round * 64 + source);
    wave.sync();
    if (wave.elect()) other.release();
  }
  wrong[block.thread_rank()] = mismatches;
}

}  // namespace

TEST_SUITE("semaphore") {
  TEST_CASE("never more waves inside than permits; one permit is a lock") {
    constexpr unsigned rounds = 50;
    for (unsigned waves : {1u, 2u, 5u, 8u})
      for (unsigned permits : {1u, 3u}) {
        CAPTURE(waves);
        CAPTURE(permits);
        auto out = test::filled<counts>(1, 0xFF);
        test::run({1, waves * test::wave_size() - 1}, share_permits<block_semaphore>, out.data(), permits, rounds);
        counts const got = test::downloaded(out)[0];
        unsigned const want = permits == 1 ? waves * rounds : 0;
        CHECK(got.inside == 0);
        CHECK(got.crowded == 0);
        CHECK(got.most == 1);
        CHECK(got.sum == want);
        CHECK(got.wave_sums == want);
      }
  }

  TEST_CASE("a lock between resident blocks") {
    constexpr unsigned rounds = 500;
    for (unsigned blocks : {1u, 2u, 6u}) {
      CAPTURE(blocks);
      fm::buffer<device_lock> lock(test::gpu(), 1);
      auto c = test::filled<counts>(1);
      test::run({1, 1}, init_lock, lock.data());
      test::run_cooperative({blocks, 2 * test::wave_size()}, share_lock, lock.data(), c.data(), rounds);
      counts const got = test::downloaded(c)[0];
      CHECK(got.inside == 0);
      CHECK(got.most == 1);
      CHECK(got.sum == 2 * blocks * rounds);
      CHECK(got.wave_sums == 2 * blocks * rounds);
    }
  }

  TEST_CASE("try_acquire takes every permit there is, and no more") {
    for (unsigned threads : {1u, 33u, 256u, 1000u})
      for (unsigned permits : {0u, 1u, 40u, 255u, 1000u}) {
        CAPTURE(threads);
        CAPTURE(permits);
        auto successes = test::filled<unsigned>(1, 0xFF);
        test::run({1, threads}, try_once, successes.data(), permits);
        CHECK(test::difference(successes, std::vector<unsigned>{threads < permits ? threads : permits}) == "");
      }
  }

  TEST_CASE("the count, step by step") {
    auto wrong = test::filled<unsigned>(1, 0xFF);
    test::run({1, 1}, count_by_one_thread, wrong.data());
    CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
  }

  TEST_CASE("two semaphores carry data through a ring") {
    unsigned const threads = 2 * test::wave_size();
    auto wrong = test::filled<unsigned>(threads, 0xFF);
    test::run({1, threads}, pass_through_ring, wrong.data(), 200u);
    CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
  }
}
