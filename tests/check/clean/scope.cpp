// The twins of bug/scope.cpp.
#include "../support.hpp"

namespace {

using test::leads_its_block;
using test::word;

// Both sides reach the other: the twin of the three in which one does not.
FERMATA_KERNEL device_scope_flag(unsigned* flag, unsigned* data, unsigned* out) {
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

FERMATA_KERNEL device_scope_fences(unsigned* flag, unsigned* data, unsigned* out) {
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

// Scopes of different width, each of which reaches the other side.
FERMATA_KERNEL system_scope_flag(unsigned* flag, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    fm::system_atomic_ref<unsigned>(*flag).store(1, fm::memory_order_release);
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

FERMATA_KERNEL counter_of_the_device(fm::counter<>* done, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    done->signal();
  } else {
    done->await(1);
    *out = *data;
  }
}

FERMATA_KERNEL sentinel_of_the_device(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish(1.0f);
  else
    *out = slot->await();
}

FERMATA_KERNEL device_scope_count(unsigned* count) {
  if (leads_its_block()) word(*count).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL block_scope_between_waves(unsigned* data, unsigned* out) {
  FERMATA_SHARED(flag, unsigned);
  fm::block_atomic_ref<unsigned> const ready(flag);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) ready.store(0, fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank == 0) {
    *data = 42;
    ready.store(1, fm::memory_order_release);
  } else if (rank == 64) {
    while (ready.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

// From one block of a cluster to the other.
FERMATA_KERNEL cluster_scope_in_a_cluster(unsigned* flag, unsigned* data, unsigned* out) {
  fm::atomic_ref<unsigned, fm::thread_scope_cluster> const ready(*flag);
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    ready.store(1, fm::memory_order_release);
  } else if (fm::this_grid().block_rank() == 1) {
    while (ready.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

}  // namespace

TEST_CASE("clean/block_scope_flag, block_scope_acquire and block_scope_release") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, device_scope_flag); });
}

TEST_CASE("clean/block_scope_release_fence and block_scope_acquire_fence") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, device_scope_fences); });
}

TEST_CASE("clean/block_scope_release, with a scope that is wider on one side") {
  test::stays_clean([](test::memory& m) { return test::with_three(m, system_scope_flag); });
}

TEST_CASE("clean/counter_of_a_block") {
  test::stays_clean([](test::memory& m) {
    return fm::check(counter_of_the_device, {2, 4}, m.zeros<fm::counter<>>(1), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("clean/sentinel_of_a_block") {
  test::stays_clean([](test::memory& m) {
    return fm::check(sentinel_of_the_device, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("clean/block_scope_count") {
  test::stays_clean([](test::memory& m) { return fm::check(device_scope_count, {3, 4}, m.zeros<unsigned>(1)); });
}

TEST_CASE("clean/wave_scope_flag") {
  test::stays_clean([](test::memory& m) {
    return fm::check(block_scope_between_waves, {1, 128}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/cluster_scope_flag") {
  test::stays_clean([](test::memory& m) {
    return fm::check(cluster_scope_in_a_cluster, {4, 4, 0, 2}, m.zeros<unsigned>(1), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}
