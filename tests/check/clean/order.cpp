// The twins of bug/order.cpp.
#include "../support.hpp"

namespace {

using test::leads_its_block;
using test::word;

// The flag is released and acquired: the twin of the three that lack one of it.
FERMATA_KERNEL flag_with_both(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    word(*flag).store(1, fm::memory_order_release);
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

FERMATA_KERNEL acquiring_wait(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    word(*flag).fetch_add(1, fm::memory_order_release);
  } else {
    word(*flag).wait(0, fm::memory_order_acquire);
    *out = *data;
  }
}

FERMATA_KERNEL ordered_start_barrier(unsigned* arrived, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block + 1;
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (word(*arrived).load(fm::memory_order_acquire) < blocks) {
  }
  out[block] = data[(block + 1) % blocks];
}

// Relaxed accesses with a fence on each side, each at its place.
FERMATA_KERNEL flag_with_fences(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
    word(*flag).store(1, fm::memory_order_relaxed);
  } else {
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {
    }
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    *out = *data;
  }
}

FERMATA_KERNEL last_block_acquires(unsigned* partial, unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  partial[block] = block + 1;
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) != blocks - 1) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];
  *out = sum;
}

FERMATA_KERNEL last_block_with_two_fences(unsigned* partial, unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  partial[block] = block + 1;
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);
  if (word(*arrived).fetch_add(1, fm::memory_order_relaxed) != blocks - 1) return;
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];
  *out = sum;
}

FERMATA_KERNEL handed_on(unsigned* flags, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  word const first(flags[0]), second(flags[1]);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    first.store(1, fm::memory_order_release);
  } else if (fm::this_grid().block_rank() == 1) {
    while (first.load(fm::memory_order_acquire) == 0) {
    }
    second.store(1, fm::memory_order_release);
  } else {
    while (second.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

FERMATA_KERNEL lock_by_exchange(unsigned* lock, unsigned* data) {
  if (!leads_its_block()) return;
  while (word(*lock).exchange(1, fm::memory_order_acquire) != 0) {
  }
  *data += 1;
  word(*lock).store(0, fm::memory_order_release);
}

FERMATA_KERNEL lock_by_cas(unsigned* lock, unsigned* data) {
  if (!leads_its_block()) return;
  unsigned expected = 0;
  while (!word(*lock).compare_exchange_strong(expected, 1, fm::memory_order_acquire, fm::memory_order_relaxed))
    expected = 0;
  *data += 1;
  word(*lock).store(0, fm::memory_order_release);
}

FERMATA_KERNEL dekker(unsigned* wants, unsigned* data) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  word(wants[me]).store(1, fm::memory_order_seq_cst);
  if (word(wants[1 - me]).load(fm::memory_order_seq_cst) == 0) *data += 1;
}

// The same by fences between relaxed accesses.
FERMATA_KERNEL dekker_with_fences(unsigned* wants, unsigned* data) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  word(wants[me]).store(1, fm::memory_order_relaxed);
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);
  if (word(wants[1 - me]).load(fm::memory_order_relaxed) == 0) *data += 1;
}

FERMATA_KERNEL ring(unsigned* items, unsigned* tail, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    for (unsigned i = 0; i < 4; ++i) {
      items[i] = i * i;
      word(*tail).store(i + 1, fm::memory_order_release);
    }
  } else {
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
      while (word(*tail).load(fm::memory_order_acquire) <= i) {
      }
      sum += items[i];
    }
    *out = sum;
  }
}

}  // namespace

TEST_CASE("clean/flag_without_release and flag_without_acquire") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, flag_with_both, 2); });
}

TEST_CASE("clean/relaxed_wait") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, acquiring_wait, 2); });
}

TEST_CASE("clean/relaxed_start_barrier") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, ordered_start_barrier, 2); });
}

TEST_CASE("clean/no_release_fence and acquire_fence_too_early") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, flag_with_fences, 2); });
}

TEST_CASE("clean/last_block_without_acquire") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, last_block_acquires, 3); });
}

TEST_CASE("clean/last_block_with_one_fence") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, last_block_with_two_fences, 3); });
}

TEST_CASE("clean/handed_on_relaxed") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, handed_on, 3); });
}

TEST_CASE("clean/unlock_without_release") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lock_by_exchange, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/lock_without_acquire") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lock_by_cas, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/dekker_without_seq_cst") {
  test::stays_clean([](test::memory& m) {
    return fm::check(dekker, {2, 4}, m.zeros<unsigned>(2), m.zeros<unsigned>(1)).weak_values();
  });
}

TEST_CASE("clean/dekker_without_seq_cst, by fences") {
  test::stays_clean([](test::memory& m) {
    return fm::check(dekker_with_fences, {2, 4}, m.zeros<unsigned>(2), m.zeros<unsigned>(1)).weak_values();
  });
}

TEST_CASE("clean/ring_without_acquire") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, ring, 2); });
}
