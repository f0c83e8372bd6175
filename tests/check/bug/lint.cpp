// Memory that is not there, or not what it should be: beyond the end, never written, synchronised by plain accesses;
// scopes wider than is needed; and results that the kernel itself finds to be wrong.
#include <stdexcept>

#include "../support.hpp"

namespace {

using test::word;
using block_barrier = fm::barrier<fm::thread_scope_block>;

using test::leads_its_block;

// C23. The last block has more threads than there are elements left.
FERMATA_KERNEL store_beyond_the_end(float* data) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  data[i] = 1.0f;  // here: store_beyond_the_end
}

// The first point of a stencil has no left neighbour.
FERMATA_KERNEL load_before_the_start(float const* data, float* out, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i + 1 < count) out[i] = data[static_cast<int>(i) - 1] + data[i + 1];  // here: load_before_the_start
}

// Shared memory without the place for the last thread's right neighbour.
FERMATA_KERNEL beyond_a_shared_array(float* out) {
  FERMATA_SHARED(tile, float[32]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = static_cast<float>(rank);
  fm::this_block().sync();
  out[rank] = tile[rank] + tile[rank + 1];  // here: beyond_a_shared_array
}

// A key that is one too large.
FERMATA_KERNEL bin_beyond_the_end(unsigned const* keys, unsigned* bins) {
  word(bins[keys[fm::this_grid().thread_rank()]]).fetch_add(1, fm::memory_order_relaxed);  // here: bin_beyond_the_end
}

// The launch gives the block less dynamic shared memory than it uses.
FERMATA_KERNEL beyond_dynamic_shared(unsigned* out) {
  unsigned* const values = fm::dynamic_shared<unsigned>();
  unsigned const rank = fm::this_block().thread_rank();
  values[rank] = rank;  // here: beyond_dynamic_shared
  fm::this_block().sync();
  out[rank] = values[(rank + 1) % 16];
}

// The cell beyond the tile is there, but nobody fills it.
FERMATA_KERNEL halo_not_filled(float* out) {
  FERMATA_SHARED(tile, float[33]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = static_cast<float>(rank);
  fm::this_block().sync();
  out[rank] = tile[rank] + tile[rank + 1];  // here: halo_not_filled
}

// Shared memory does not begin as zero.
FERMATA_KERNEL sum_not_cleared(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  if (!leads_its_block()) return;
  sum += 4;  // here: sum_not_cleared
  *out = sum;
}

FERMATA_KERNEL dynamic_shared_not_filled(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  out[rank] = fm::dynamic_shared<unsigned>()[rank];  // here: dynamic_shared_not_filled
}

// Shared bins that are not cleared before they are counted into. They are counters, and by nobody waited for: the
// finding may go by either name.
FERMATA_KERNEL histogram_not_cleared(unsigned const* keys, unsigned* bins) {
  FERMATA_SHARED(counts, fm::privatized_histogram<4>);
  counts.add(keys[fm::this_block().thread_rank()]);  // here: histogram_not_cleared
  counts.merge_into(bins);                           // here: histogram_not_cleared?
}

// A barrier without init(): the number of arrivals that it expects is whatever the memory holds.
FERMATA_KERNEL barrier_without_init(unsigned* out) {
  FERMATA_SHARED(meeting, block_barrier);
  unsigned const rank = fm::this_block().thread_rank();
  meeting.arrive_and_wait();  // here: barrier_without_init
  out[rank] = rank;
}

// A flag in shared memory that nobody has set to zero.
FERMATA_KERNEL flag_not_cleared(unsigned* out) {
  FERMATA_SHARED(flag, unsigned);
  fm::block_atomic_ref<unsigned> const ready(flag);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank != 0) return;
  *out = ready.load(fm::memory_order_acquire);  // here: flag_not_cleared
}

// A counter in a buffer that the host has made and not filled.
FERMATA_KERNEL counter_not_cleared(unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == 1) *out = 1;  // here: counter_not_cleared
}

// The flag that others wait for is set by a plain store.
FERMATA_KERNEL plain_store_to_a_flag(unsigned* flag) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *flag = 1;  // here: plain_store_to_a_flag
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {  // here: plain_store_to_a_flag?
    }
  }
}

// A slot is filled by a plain store.
FERMATA_KERNEL plain_store_to_a_slot(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    *reinterpret_cast<float*>(slot) = 1.0f;  // here: plain_store_to_a_slot
  else
    *out = slot->await();  // here: plain_store_to_a_slot?
}

// The flag is set atomically, and polled plainly. (The barrier in the loop keeps the compiler from reading once.)
FERMATA_KERNEL plain_poll_of_a_flag(unsigned* flag, unsigned turns) {
  if (fm::this_grid().block_rank() == 0) {
    if (leads_its_block()) word(*flag).store(1, fm::memory_order_release);  // here: plain_poll_of_a_flag?
    return;
  }
  for (unsigned i = 0; i < turns; ++i) {
    bool const there = *flag != 0;  // here: plain_poll_of_a_flag
    if (fm::this_block().sync_or(there)) break;
  }
}

// C17. The word lies in shared memory: no other block can reach it, and block scope would do.
FERMATA_KERNEL device_scope_in_shared_memory(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) sum = 0;
  fm::this_block().sync();
  word(sum).fetch_add(rank, fm::memory_order_relaxed);  // here: device_scope_in_shared_memory
  fm::this_block().sync();
  if (rank == 0) out[fm::this_grid().block_rank()] = sum;
}

// C17. Each block counts for itself.
FERMATA_KERNEL device_scope_in_one_block(unsigned* counts) {
  word const mine(counts[fm::this_grid().block_rank()]);
  mine.fetch_add(1, fm::memory_order_relaxed);  // here: device_scope_in_one_block
}

// C14. The largest float by the order of its bits: that of negative numbers is the other way round. No access is wrong;
// the kernel itself finds the result to be. (The place is that of the thread's last operation.)
FERMATA_KERNEL float_max_by_bits(float const* in, int* largest) {  // here: float_max_by_bits?
  FERMATA_SHARED(found, int);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) found = __builtin_bit_cast(int, -1e30f);
  fm::this_block().sync();
  fm::block_atomic_ref<int>(found).fetch_max(__builtin_bit_cast(int, in[rank]), fm::memory_order_relaxed);
  fm::this_block().sync();  // here: float_max_by_bits?
  if (rank != 0) return;
  *largest = found;
  float const result = __builtin_bit_cast(float, found);
  for (unsigned i = 0; i < 4; ++i)
    if (in[i] > result) throw std::runtime_error("not the largest");  // here: float_max_by_bits?
}

// Every access is atomic, and so none is a race; but relaxed ones may be seen in another order than they were made.
FERMATA_KERNEL relaxed_message(unsigned* flag, unsigned* data) {  // here: relaxed_message?
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*data).store(42, fm::memory_order_relaxed);
    word(*flag).store(1, fm::memory_order_relaxed);
  } else {
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {
    }
    unsigned const seen = word(*data).load(fm::memory_order_relaxed);  // here: relaxed_message?
    if (seen != 42) throw std::runtime_error("the message is old");    // here: relaxed_message?
  }
}

}  // namespace

TEST_CASE("bug/store_beyond_the_end") {
  test::finds(kind::out_of_bounds, [](test::memory& m) {
    return fm::check(store_beyond_the_end, {2, 32}, m.zeros<float>(50));
  });
}

TEST_CASE("bug/load_before_the_start") {
  test::finds(kind::out_of_bounds, [](test::memory& m) {
    return fm::check(load_before_the_start, {2, 16}, m.zeros<float>(32), m.zeros<float>(32), 32);
  });
}

TEST_CASE("bug/beyond_a_shared_array") {
  test::finds(kind::out_of_bounds, [](test::memory& m) {
    return fm::check(beyond_a_shared_array, {1, 32}, m.zeros<float>(32));
  });
}

TEST_CASE("bug/bin_beyond_the_end") {
  test::finds(kind::out_of_bounds, [](test::memory& m) {
    return fm::check(bin_beyond_the_end, {2, 2}, m.uploaded(std::vector<unsigned>{0, 3, 0, 4}), m.zeros<unsigned>(4));
  });
}

TEST_CASE("bug/beyond_dynamic_shared") {
  test::finds(kind::out_of_bounds, [](test::memory& m) {
    return fm::check(beyond_dynamic_shared, {1, 32, 64}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/halo_not_filled") {
  test::finds(kind::uninitialised_shared, [](test::memory& m) {
    return fm::check(halo_not_filled, {1, 32}, m.zeros<float>(32));
  });
}

TEST_CASE("bug/sum_not_cleared") {
  test::finds(kind::uninitialised_shared, [](test::memory& m) {
    return fm::check(sum_not_cleared, {1, 4}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/dynamic_shared_not_filled") {
  test::finds(kind::uninitialised_shared, [](test::memory& m) {
    return fm::check(dynamic_shared_not_filled, {1, 16, 64}, m.zeros<unsigned>(16));
  });
}

TEST_CASE("bug/histogram_not_cleared") {
  test::finds(kind::uninitialised_shared,
              [](test::memory& m) {
                return fm::check(histogram_not_cleared, {1, 8}, m.zeros<unsigned>(8), m.zeros<unsigned>(4));
              },
              {.instead = {kind::uninitialised_sync_word}, .several = true});
}

TEST_CASE("bug/barrier_without_init") {
  test::finds(kind::uninitialised_sync_word,
              [](test::memory& m) {
                return fm::check(barrier_without_init, {1, 32}, m.zeros<unsigned>(32));
              },
              // Nobody knows how many arrivals would end it.
              {.beside = {kind::lost_signal}});
}

TEST_CASE("bug/flag_not_cleared") {
  test::finds(kind::uninitialised_sync_word, [](test::memory& m) {
    return fm::check(flag_not_cleared, {1, 4}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/counter_not_cleared") {
  test::finds(kind::uninitialised_sync_word, [](test::memory& m) {
    return fm::check(counter_not_cleared, {2, 4}, m.uninitialised<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/plain_store_to_a_flag") {
  test::finds(kind::non_atomic_sync_word, [](test::memory& m) {
    return fm::check(plain_store_to_a_flag, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("bug/plain_store_to_a_slot") {
  test::finds(kind::non_atomic_sync_word,
              [](test::memory& m) {
                return fm::check(plain_store_to_a_slot, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1))
                    .cooperative();
              },
              // Where the store comes first nobody has to wait.
              {.instead = {kind::mixed_access}});
}

TEST_CASE("bug/plain_poll_of_a_flag") {
  test::finds(kind::non_atomic_sync_word,
              [](test::memory& m) {
                return fm::check(plain_poll_of_a_flag, {2, 32}, m.zeros<unsigned>(1), 10);
              },
              // Where the first poll comes behind the store there is no second one, and no wait.
              {.instead = {kind::mixed_access}});
}

TEST_CASE("bug/device_scope_in_shared_memory") {
  test::finds(kind::wider_than_needed, [](test::memory& m) {
    return fm::check(device_scope_in_shared_memory, {2, 32}, m.zeros<unsigned>(2));
  });
}

TEST_CASE("bug/device_scope_in_one_block") {
  test::finds(kind::wider_than_needed, [](test::memory& m) {
    return fm::check(device_scope_in_one_block, {2, 4}, m.zeros<unsigned>(2));
  });
}

TEST_CASE("bug/float_max_by_bits") {
  test::finds(kind::kernel_failed, [](test::memory& m) {
    return fm::check(float_max_by_bits, {1, 4}, m.uploaded(std::vector<float>{-1, -2, -3, -4}), m.zeros<int>(1));
  });
}

TEST_CASE("bug/relaxed_message") {
  test::finds(kind::kernel_failed, [](test::memory& m) {
    return fm::check(relaxed_message, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).weak_values().cooperative();
  });
}
