// A scope is too narrow: the orders are right, but one side or both do not reach the other's lane. Atomic operations
// whose scopes do not include each other's lanes are themselves a race, and that pair is what must be named, as the
// scope stands there. The data behind it may be named, too. Where the scope of a fence is too narrow the flag is right,
// and the race is between the accesses of the data.
#include "../support.hpp"

namespace {

using block_word = fm::block_atomic_ref<unsigned>;
using device_word = fm::device_atomic_ref<unsigned>;

using test::leads_its_block;

// C7. Block scope between blocks.
FERMATA_KERNEL block_scope_flag(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                            // here: block_scope_flag?
    block_word(*flag).store(1, fm::memory_order_release);  // here: block_scope_flag
  } else {
    while (block_word(*flag).load(fm::memory_order_acquire) == 0) {  // here: block_scope_flag
    }
    *out = *data;  // here: block_scope_flag?
  }
}

// One side is wide enough; the other must be, too.
FERMATA_KERNEL block_scope_acquire(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                             // here: block_scope_acquire?
    device_word(*flag).store(1, fm::memory_order_release);  // here: block_scope_acquire
  } else {
    while (block_word(*flag).load(fm::memory_order_acquire) == 0) {  // here: block_scope_acquire
    }
    *out = *data;  // here: block_scope_acquire?
  }
}

FERMATA_KERNEL block_scope_release(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                            // here: block_scope_release?
    block_word(*flag).store(1, fm::memory_order_release);  // here: block_scope_release
  } else {
    while (device_word(*flag).load(fm::memory_order_acquire) == 0) {  // here: block_scope_release
    }
    *out = *data;  // here: block_scope_release?
  }
}

// The flag is of device scope, and so is one fence; the other is not.
FERMATA_KERNEL block_scope_release_fence(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                                                 // here: block_scope_release_fence
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_block);  // here: block_scope_release_fence?
    device_word(*flag).store(1, fm::memory_order_relaxed);                      // here: block_scope_release_fence?
  } else {
    while (device_word(*flag).load(fm::memory_order_acquire) == 0) {  // here: block_scope_release_fence?
    }
    *out = *data;  // here: block_scope_release_fence
  }
}

FERMATA_KERNEL block_scope_acquire_fence(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                             // here: block_scope_acquire_fence
    device_word(*flag).store(1, fm::memory_order_release);  // here: block_scope_acquire_fence?
  } else {
    while (device_word(*flag).load(fm::memory_order_relaxed) == 0) {  // here: block_scope_acquire_fence?
    }
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_block);  // here: block_scope_acquire_fence?
    *out = *data;                                                               // here: block_scope_acquire_fence
  }
}

// A counter of a block, used by two.
FERMATA_KERNEL counter_of_a_block(fm::counter<fm::thread_scope_block>* done, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;      // here: counter_of_a_block?
    done->signal();  // here: counter_of_a_block
  } else {
    done->await(1);  // here: counter_of_a_block
    *out = *data;    // here: counter_of_a_block?
  }
}

// A slot of a block, used by two: the datum is the flag, and so it is the slot's own accesses that race.
FERMATA_KERNEL sentinel_of_a_block(fm::sentinel<float, fm::thread_scope::block>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish(1.0f);  // here: sentinel_of_a_block
  else
    *out = slot->await();  // here: sentinel_of_a_block
}

// Increments of block scope by several blocks are not atomic against each other.
FERMATA_KERNEL block_scope_count(unsigned* count) {
  if (leads_its_block()) block_word(*count).fetch_add(1, fm::memory_order_relaxed);  // here: block_scope_count
}

// Wave scope between the waves of a block. On some targets it means the block; on others it orders nothing there.
FERMATA_KERNEL wave_scope_flag(unsigned* data, unsigned* out) {
  FERMATA_SHARED(flag, unsigned);
  fm::atomic_ref<unsigned, fm::thread_scope_wave> const ready(flag);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) ready.store(0, fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank == 0) {
    *data = 42;                                // here: wave_scope_flag?
    ready.store(1, fm::memory_order_release);  // here: wave_scope_flag
  } else if (rank == 64) {
    while (ready.load(fm::memory_order_acquire) == 0) {  // here: wave_scope_flag
    }
    *out = *data;  // here: wave_scope_flag?
  }
}

// Cluster scope between clusters.
FERMATA_KERNEL cluster_scope_flag(unsigned* flag, unsigned* data, unsigned* out) {
  fm::atomic_ref<unsigned, fm::thread_scope_cluster> const ready(*flag);
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;                                // here: cluster_scope_flag?
    ready.store(1, fm::memory_order_release);  // here: cluster_scope_flag
  } else if (fm::this_grid().block_rank() == 2) {
    while (ready.load(fm::memory_order_acquire) == 0) {  // here: cluster_scope_flag
    }
    *out = *data;  // here: cluster_scope_flag?
  }
}

}  // namespace

TEST_CASE("bug/block_scope_flag") {
  test::finds(kind::insufficient_scope, [](test::memory& m) { return test::with_three(m, block_scope_flag); },
              {.several = true});
}

TEST_CASE("bug/block_scope_acquire") {
  test::finds(kind::insufficient_scope, [](test::memory& m) { return test::with_three(m, block_scope_acquire); },
              {.several = true});
}

TEST_CASE("bug/block_scope_release") {
  test::finds(kind::insufficient_scope, [](test::memory& m) { return test::with_three(m, block_scope_release); },
              {.several = true});
}

TEST_CASE("bug/block_scope_release_fence") {
  test::finds(kind::insufficient_scope, [](test::memory& m) { return test::with_three(m, block_scope_release_fence); });
}

TEST_CASE("bug/block_scope_acquire_fence") {
  test::finds(kind::insufficient_scope, [](test::memory& m) { return test::with_three(m, block_scope_acquire_fence); });
}

TEST_CASE("bug/counter_of_a_block") {
  test::finds(kind::insufficient_scope,
              [](test::memory& m) {
                return fm::check(counter_of_a_block, {2, 4}, m.zeros<fm::counter<fm::thread_scope_block>>(1),
                                 m.zeros<unsigned>(1), m.zeros<unsigned>(1))
                    .cooperative();
              },
              {.several = true});
}

TEST_CASE("bug/sentinel_of_a_block") {
  test::finds(kind::insufficient_scope, [](test::memory& m) {
    return fm::check(sentinel_of_a_block, {2, 4}, m.filled(1, fm::sentinel<float, fm::thread_scope::block>()),
                     m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("bug/block_scope_count") {
  test::finds(kind::insufficient_scope, [](test::memory& m) {
    return fm::check(block_scope_count, {3, 4}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/wave_scope_flag") {
  test::finds(kind::insufficient_scope,
              [](test::memory& m) {
                return fm::check(wave_scope_flag, {1, 128}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
              },
              {.several = true});
}

TEST_CASE("bug/cluster_scope_flag") {
  test::finds(kind::insufficient_scope,
              [](test::memory& m) {
                return fm::check(cluster_scope_flag, {4, 4, 0, 2}, m.zeros<unsigned>(1), m.zeros<unsigned>(1),
                                 m.zeros<unsigned>(1))
                    .cooperative();
              },
              {.several = true});
}
