// An order is missing: a flag says that data are there, but its write does not release them, or its read does not
// acquire. The finding is a race between the accesses of the data, explained by the read of the flag that would have
// ordered them; that pair may be named, too.
#include "../support.hpp"

namespace {

using test::leads_its_block;
using test::word;

// C5. The flag may become visible before the data.
FERMATA_KERNEL flag_without_release(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                      // here: flag_without_release
    word(*flag).store(1, fm::memory_order_relaxed);  // here: flag_without_release?
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {  // here: flag_without_release?
    }
    *out = *data;  // here: flag_without_release
  }
}

// The data may be read before the flag.
FERMATA_KERNEL flag_without_acquire(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                      // here: flag_without_acquire
    word(*flag).store(1, fm::memory_order_release);  // here: flag_without_acquire?
  } else {
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {  // here: flag_without_acquire?
    }
    *out = *data;  // here: flag_without_acquire
  }
}

// PROTOCOLS: a wait that polls by relaxed loads and returns.
FERMATA_KERNEL relaxed_wait(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                          // here: relaxed_wait
    word(*flag).fetch_add(1, fm::memory_order_release);  // here: relaxed_wait?
  } else {
    word(*flag).wait(0, fm::memory_order_relaxed);  // here: relaxed_wait?
    *out = *data;                                   // here: relaxed_wait
  }
}

// PROTOCOLS: a start barrier without any order, as in a custom all-reduce. Both halves are missing, and either may be
// named.
FERMATA_KERNEL relaxed_start_barrier(unsigned* arrived, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block + 1;                                          // here: relaxed_start_barrier
  word(*arrived).fetch_add(1, fm::memory_order_relaxed);            // here: relaxed_start_barrier?
  while (word(*arrived).load(fm::memory_order_relaxed) < blocks) {  // here: relaxed_start_barrier?
  }
  out[block] = data[(block + 1) % blocks];  // here: relaxed_start_barrier
}

// The reader has its fence, the writer has not.
FERMATA_KERNEL no_release_fence(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                      // here: no_release_fence
    word(*flag).store(1, fm::memory_order_relaxed);  // here: no_release_fence?
  } else {
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {  // here: no_release_fence?
    }
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);  // here: no_release_fence?
    *out = *data;                                                                // here: no_release_fence
  }
}

// The other way round. An acquire fence before the read of the flag orders nothing behind it.
FERMATA_KERNEL acquire_fence_too_early(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                                                  // here: acquire_fence_too_early
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);  // here: acquire_fence_too_early?
    word(*flag).store(1, fm::memory_order_relaxed);                              // here: acquire_fence_too_early?
  } else {
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {  // here: acquire_fence_too_early?
    }
    *out = *data;  // here: acquire_fence_too_early
  }
}

// C20. The last block knows by the counter that the others are done, but does not acquire what they wrote.
FERMATA_KERNEL last_block_without_acquire(unsigned* partial, unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  partial[block] = block + 1;                                                       // here: last_block_without_acquire
  if (word(*arrived).fetch_add(1, fm::memory_order_release) != blocks - 1) return;  // here: last_block_without_acquire?
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];  // here: last_block_without_acquire
  *out = sum;
}

// C20 as the textbook has it: a fence, a relaxed increment, and nothing before the partial sums are read.
FERMATA_KERNEL last_block_with_one_fence(unsigned* partial, unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  partial[block] = block + 1;                                                       // here: last_block_with_one_fence
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);       // here: last_block_with_one_fence?
  if (word(*arrived).fetch_add(1, fm::memory_order_relaxed) != blocks - 1) return;  // here: last_block_with_one_fence?
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];  // here: last_block_with_one_fence
  *out = sum;
}

// The middle one of three hands on that the data are there, without releasing what it has acquired.
FERMATA_KERNEL handed_on_relaxed(unsigned* flags, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  word const first(flags[0]), second(flags[1]);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;  // here: handed_on_relaxed
    first.store(1, fm::memory_order_release);
  } else if (fm::this_grid().block_rank() == 1) {
    while (first.load(fm::memory_order_acquire) == 0) {
    }
    second.store(1, fm::memory_order_relaxed);  // here: handed_on_relaxed?
  } else {
    while (second.load(fm::memory_order_acquire) == 0) {  // here: handed_on_relaxed?
    }
    *out = *data;  // here: handed_on_relaxed
  }
}

// A lock whose unlock does not release.
FERMATA_KERNEL unlock_without_release(unsigned* lock, unsigned* data) {
  if (!leads_its_block()) return;
  while (word(*lock).exchange(1, fm::memory_order_acquire) != 0) {  // here: unlock_without_release?
  }
  *data += 1;                                      // here: unlock_without_release
  word(*lock).store(0, fm::memory_order_relaxed);  // here: unlock_without_release?
}

// A lock whose compare-exchange acquires only if it fails.
FERMATA_KERNEL lock_without_acquire(unsigned* lock, unsigned* data) {
  if (!leads_its_block()) return;
  unsigned expected = 0;
  while (!word(*lock).compare_exchange_strong(expected, 1, fm::memory_order_relaxed,  // here: lock_without_acquire?
                                              fm::memory_order_acquire))              // here: lock_without_acquire?
    expected = 0;
  *data += 1;                                      // here: lock_without_acquire
  word(*lock).store(0, fm::memory_order_release);  // here: lock_without_acquire?
}

// Both flags are set with a release and read with an acquire, and still both threads may miss the other's: only
// sequential consistency forbids that. Then both are in the critical section. (No read of a store is without its edge,
// so that it is a data race.)
FERMATA_KERNEL dekker_without_seq_cst(unsigned* wants, unsigned* data) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  word(wants[me]).store(1, fm::memory_order_release);
  if (word(wants[1 - me]).load(fm::memory_order_acquire) == 0) *data += 1;  // here: dekker_without_seq_cst
}

// A queue's ring: the consumer takes an item by its number, which it reads without an acquire.
FERMATA_KERNEL ring_without_acquire(unsigned* items, unsigned* tail, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    for (unsigned i = 0; i < 4; ++i) {
      items[i] = i * i;                                    // here: ring_without_acquire
      word(*tail).store(i + 1, fm::memory_order_release);  // here: ring_without_acquire?
    }
  } else {
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
      while (word(*tail).load(fm::memory_order_relaxed) <= i) {  // here: ring_without_acquire?
      }
      sum += items[i];  // here: ring_without_acquire
    }
    *out = sum;
  }
}

}  // namespace

TEST_CASE("bug/flag_without_release") {
  test::finds(kind::missing_release, [](test::memory& m) { return test::with_three(m, flag_without_release, 2); });
}

TEST_CASE("bug/flag_without_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_three(m, flag_without_acquire, 2); });
}

TEST_CASE("bug/relaxed_wait") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_three(m, relaxed_wait, 2); });
}

TEST_CASE("bug/relaxed_start_barrier") {
  test::finds(kind::missing_release, [](test::memory& m) { return test::with_three(m, relaxed_start_barrier, 2); },
              {.instead = {kind::missing_acquire}});
}

TEST_CASE("bug/no_release_fence") {
  test::finds(kind::missing_release, [](test::memory& m) { return test::with_three(m, no_release_fence, 2); });
}

TEST_CASE("bug/acquire_fence_too_early") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_three(m, acquire_fence_too_early, 2); });
}

TEST_CASE("bug/last_block_without_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) {
    return fm::check(last_block_without_acquire, {3, 4}, m.zeros<unsigned>(3), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/last_block_with_one_fence") {
  test::finds(kind::missing_acquire, [](test::memory& m) {
    return fm::check(last_block_with_one_fence, {3, 4}, m.zeros<unsigned>(3), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/handed_on_relaxed") {
  test::finds(kind::missing_release, [](test::memory& m) { return test::with_three(m, handed_on_relaxed, 3); });
}

TEST_CASE("bug/unlock_without_release") {
  test::finds(kind::missing_release, [](test::memory& m) {
    return fm::check(unlock_without_release, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("bug/lock_without_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) {
    return fm::check(lock_without_acquire, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("bug/dekker_without_seq_cst") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(dekker_without_seq_cst, {2, 4}, m.zeros<unsigned>(2), m.zeros<unsigned>(1)).weak_values();
  });
}

TEST_CASE("bug/ring_without_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_three(m, ring_without_acquire, 2); });
}
