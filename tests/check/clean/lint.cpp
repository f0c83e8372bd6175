// The twins of bug/lint.cpp.
#include <stdexcept>

#include "../support.hpp"

namespace {

using test::word;
using block_barrier = fm::barrier<fm::thread_scope_block>;

using test::leads_its_block;

FERMATA_KERNEL store_within(float* data, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i < count) data[i] = 1.0f;
}

FERMATA_KERNEL load_within(float const* data, float* out, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i != 0 && i + 1 < count) out[i] = data[i - 1] + data[i + 1];
}

// The tile has a cell more, and it is filled: the twin of beyond_a_shared_array and of halo_not_filled.
FERMATA_KERNEL halo_filled(float* out) {
  FERMATA_SHARED(tile, float[33]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = static_cast<float>(rank);
  if (rank == 0) tile[32] = 0.0f;
  fm::this_block().sync();
  out[rank] = tile[rank] + tile[rank + 1];
}

FERMATA_KERNEL bin_within(unsigned const* keys, unsigned* bins, unsigned count) {
  unsigned const key = keys[fm::this_grid().thread_rank()];
  if (key < count) word(bins[key]).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL within_dynamic_shared(unsigned* out) {
  unsigned* const values = fm::dynamic_shared<unsigned>();
  unsigned const rank = fm::this_block().thread_rank();
  values[rank] = rank;
  fm::this_block().sync();
  out[rank] = values[(rank + 1) % 32];
}

FERMATA_KERNEL sum_cleared(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  if (!leads_its_block()) return;
  sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += i;
  *out = sum;
}

FERMATA_KERNEL histogram_cleared(unsigned const* keys, unsigned* bins) {
  FERMATA_SHARED(counts, fm::privatized_histogram<4>);
  counts.clear();
  counts.add(keys[fm::this_block().thread_rank()]);
  counts.merge_into(bins);
}

FERMATA_KERNEL barrier_with_init(unsigned* out) {
  FERMATA_SHARED(meeting, block_barrier);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) meeting.init(fm::this_block().size());
  fm::this_block().sync();
  meeting.arrive_and_wait();
  out[rank] = rank;
}

FERMATA_KERNEL flag_cleared(unsigned* out) {
  FERMATA_SHARED(flag, unsigned);
  fm::block_atomic_ref<unsigned> const ready(flag);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank != 0) return;
  ready.store(0, fm::memory_order_relaxed);
  *out = ready.load(fm::memory_order_acquire);
}

FERMATA_KERNEL counter_cleared(unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == 1) *out = 1;
}

FERMATA_KERNEL atomic_store_to_a_flag(unsigned* flag) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*flag).store(1, fm::memory_order_release);
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {
    }
  }
}

FERMATA_KERNEL publish_to_a_slot(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish(1.0f);
  else
    *out = slot->await();
}

FERMATA_KERNEL atomic_poll_of_a_flag(unsigned* flag, unsigned turns) {
  if (fm::this_grid().block_rank() == 0) {
    if (leads_its_block()) word(*flag).store(1, fm::memory_order_release);
    return;
  }
  for (unsigned i = 0; i < turns; ++i) {
    bool const there = word(*flag).load(fm::memory_order_acquire) != 0;
    if (fm::this_block().sync_or(there)) break;
  }
}

FERMATA_KERNEL block_scope_in_shared_memory(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) sum = 0;
  fm::this_block().sync();
  fm::block_atomic_ref<unsigned>(sum).fetch_add(rank, fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank == 0) out[fm::this_grid().block_rank()] = sum;
}

FERMATA_KERNEL block_scope_in_one_block(unsigned* counts) {
  fm::block_atomic_ref<unsigned>(counts[fm::this_grid().block_rank()]).fetch_add(1, fm::memory_order_relaxed);
}

// All blocks count together: device scope is what it takes.
FERMATA_KERNEL device_scope_between_blocks(unsigned* count) { word(*count).fetch_add(1, fm::memory_order_relaxed); }

FERMATA_KERNEL float_max(float const* in, float* largest) {
  FERMATA_SHARED(found, float);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) found = -1e30f;
  fm::this_block().sync();
  fm::block_atomic_ref<float>(found).fetch_max(in[rank], fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank != 0) return;
  *largest = found;
  for (unsigned i = 0; i < 4; ++i)
    if (in[i] > found) throw std::runtime_error("not the largest");
}

FERMATA_KERNEL ordered_message(unsigned* flag, unsigned* data) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*data).store(42, fm::memory_order_relaxed);
    word(*flag).store(1, fm::memory_order_release);
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {
    }
    if (word(*data).load(fm::memory_order_relaxed) != 42) throw std::runtime_error("the message is old");
  }
}

}  // namespace

TEST_CASE("clean/store_beyond_the_end") {
  test::stays_clean([](test::memory& m) { return fm::check(store_within, {2, 32}, m.zeros<float>(50), 50); });
}

TEST_CASE("clean/load_before_the_start") {
  test::stays_clean([](test::memory& m) {
    return fm::check(load_within, {2, 16}, m.zeros<float>(32), m.zeros<float>(32), 32);
  });
}

TEST_CASE("clean/beyond_a_shared_array and halo_not_filled") {
  test::stays_clean([](test::memory& m) { return fm::check(halo_filled, {1, 32}, m.zeros<float>(32)); });
}

TEST_CASE("clean/bin_beyond_the_end") {
  test::stays_clean([](test::memory& m) {
    return fm::check(bin_within, {2, 2}, m.uploaded(std::vector<unsigned>{0, 3, 0, 4}), m.zeros<unsigned>(4), 4);
  });
}

TEST_CASE("clean/beyond_dynamic_shared and dynamic_shared_not_filled") {
  test::stays_clean([](test::memory& m) {
    return fm::check(within_dynamic_shared, {1, 32, 128}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("clean/sum_not_cleared") {
  test::stays_clean([](test::memory& m) { return fm::check(sum_cleared, {1, 4}, m.zeros<unsigned>(1)); });
}

TEST_CASE("clean/histogram_not_cleared") {
  test::stays_clean([](test::memory& m) {
    return fm::check(histogram_cleared, {1, 8}, m.zeros<unsigned>(8), m.zeros<unsigned>(4));
  });
}

TEST_CASE("clean/barrier_without_init") {
  test::stays_clean([](test::memory& m) { return fm::check(barrier_with_init, {1, 32}, m.zeros<unsigned>(32)); });
}

TEST_CASE("clean/flag_not_cleared") {
  test::stays_clean([](test::memory& m) { return fm::check(flag_cleared, {1, 4}, m.zeros<unsigned>(1)); });
}

TEST_CASE("clean/counter_not_cleared") {
  test::stays_clean([](test::memory& m) {
    return fm::check(counter_cleared, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/plain_store_to_a_flag") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_store_to_a_flag, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/plain_store_to_a_slot") {
  test::stays_clean([](test::memory& m) {
    return fm::check(publish_to_a_slot, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1)).cooperative();
  });
}

TEST_CASE("clean/plain_poll_of_a_flag") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_poll_of_a_flag, {2, 32}, m.zeros<unsigned>(1), 10);
  });
}

TEST_CASE("clean/device_scope_in_shared_memory") {
  test::stays_clean(
      [](test::memory& m) {
        return fm::check(block_scope_in_shared_memory, {2, 32}, m.zeros<unsigned>(2));
      },
      true);
}

TEST_CASE("clean/device_scope_in_one_block") {
  test::stays_clean(
      [](test::memory& m) {
        return fm::check(block_scope_in_one_block, {2, 4}, m.zeros<unsigned>(2));
      },
      true);
}

TEST_CASE("clean/device_scope_in_one_block, between blocks") {
  test::stays_clean(
      [](test::memory& m) {
        return fm::check(device_scope_between_blocks, {2, 4}, m.zeros<unsigned>(1));
      },
      true);
}

TEST_CASE("clean/float_max_by_bits") {
  test::stays_clean([](test::memory& m) {
    return fm::check(float_max, {1, 4}, m.uploaded(std::vector<float>{-1, -2, -3, -4}), m.zeros<float>(1));
  });
}

TEST_CASE("clean/relaxed_message") {
  test::stays_clean([](test::memory& m) {
    return fm::check(ordered_message, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).weak_values().cooperative();
  });
}
