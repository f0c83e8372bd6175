// Data races: two accesses to the same memory, at least one of them a plain write, and nothing that orders them.
#include "../support.hpp"

namespace {

// C1. Each thread reads what its neighbour has put into shared memory, without a barrier between.
FERMATA_KERNEL missing_block_barrier(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(tile, unsigned[64]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = 0;
  fm::this_block().sync();
  tile[rank] = in[rank];               // here: missing_block_barrier
  out[rank] = tile[(rank + 32) % 64];  // here: missing_block_barrier
}

// One barrier a step, where two are needed: a fast thread writes the next step over what a slow one still reads.
FERMATA_KERNEL stencil_with_one_barrier(float const* in, float* out, unsigned steps) {
  FERMATA_SHARED(tile, float[64]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = in[rank];
  fm::this_block().sync();
  for (unsigned s = 0; s < steps; ++s) {
    float const mean = 0.5f * (tile[(rank + 63) % 64] + tile[(rank + 1) % 64]);  // here: stencil_with_one_barrier
    fm::this_block().sync();
    tile[rank] = mean;  // here: stencil_with_one_barrier
  }
  out[rank] = tile[rank];
}

// The scratch memory of a helper is used again before everybody has read it. The lines are those of the helper.
FERMATA_DEVICE unsigned block_sum(unsigned value, unsigned* scratch) {
  scratch[fm::this_block().thread_rank()] = value;  // here: scratch_used_again
  fm::this_block().sync();
  unsigned sum = 0;
  for (unsigned i = 0; i < fm::this_block().size(); ++i) sum += scratch[i];  // here: scratch_used_again
  return sum;
}

FERMATA_KERNEL scratch_used_again(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(scratch, unsigned[64]);
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const sum = block_sum(in[rank], scratch);
  out[rank] = sum + block_sum(in[rank] * in[rank], scratch);
}

// C10. An increment is a read and a write; between them another thread's increment is lost.
FERMATA_KERNEL lost_update(unsigned const* keys, unsigned* counts) {
  counts[keys[fm::this_grid().thread_rank()]] += 1;  // here: lost_update
}

// C22. Neighbours are read while their owners write them: the barrier of the grid separates the steps, but not the
// reads from the writes of one step.
FERMATA_KERNEL in_place_neighbours(float* a, unsigned steps, fm::grid_barrier<> barrier) {
  unsigned const i = 1 + static_cast<unsigned>(fm::this_grid().thread_rank());
  for (unsigned s = 0; s < steps; ++s) {
    a[i] = 0.5f * (a[i - 1] + a[i + 1]);  // here: in_place_neighbours
    barrier.sync();
  }
}

// The barrier of a block orders nothing between blocks. (No operation of one block is read by the other, so that there
// is no edge that a wider scope would mend: a data race, and not an insufficient scope.)
FERMATA_KERNEL block_barrier_between_blocks(unsigned* values, unsigned* out) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  values[i] = i * i;  // here: block_barrier_between_blocks
  fm::this_block().sync();
  out[i] = values[(i + 8) % 16];  // here: block_barrier_between_blocks
}

// C6. To the model a volatile access is a plain one: neither atomic nor ordered. The reader looks once, so that this is
// no wait.
FERMATA_KERNEL volatile_only(unsigned volatile* mailbox, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0)
    *mailbox = 7;  // here: volatile_only
  else
    *out = *mailbox;  // here: volatile_only
}

// A structure of 16 bytes is copied as a whole, or in parts: each of them is seen.
struct alignas(16) particle {
  float x, y, z, mass;
};

FERMATA_KERNEL struct_copied(particle const* from, particle* shared, particle* to) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0)
    *shared = *from;  // here: struct_copied
  else
    *to = *shared;  // here: struct_copied
}

// Two threads to one byte. (That four bytes share a word is no race: see the twin.)
FERMATA_KERNEL two_threads_to_a_byte(unsigned char* flags) {
  unsigned const rank = fm::this_block().thread_rank();
  flags[rank / 2] = static_cast<unsigned char>(rank);  // here: two_threads_to_a_byte
}

// PROTOCOLS: the dependent work is told to begin before the output is written. The release covers what stands before
// it; this stands behind it.
FERMATA_KERNEL signalled_before_the_write(fm::counter<>* done, unsigned* data, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0) {
    done->signal();
    *data = 42;  // here: signalled_before_the_write
  } else {
    done->await(1);
    *out = *data;  // here: signalled_before_the_write
  }
}

// The same with a fence: it orders what stands before it, and the data stand behind it. The flag's store and load do
// synchronise, so that no edge is broken: a data race.
FERMATA_KERNEL fence_before_the_write(unsigned* flag, unsigned* data, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const ready(*flag);
  if (fm::this_grid().block_rank() == 0) {
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
    *data = 42;  // here: fence_before_the_write
    ready.store(1, fm::memory_order_relaxed);
  } else {
    while (ready.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;  // here: fence_before_the_write
  }
}

// The lanes of one wave need not run in step: those that wait in an earlier branch read old values, or new ones.
FERMATA_KERNEL leader_writes_for_its_wave(unsigned* slots, unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank(), wave = rank / fm::wave::size();
  if (fm::this_wave().elect()) slots[wave] = rank + 1;  // here: leader_writes_for_its_wave
  out[rank] = slots[wave];                              // here: leader_writes_for_its_wave
}

// The barrier of the grid stands before the blocks' results instead of behind them.
FERMATA_KERNEL result_read_too_early(unsigned* partial, unsigned* out, fm::grid_barrier<fm::monotonic> barrier) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  barrier.sync();
  if (fm::this_block().thread_rank() != 0) return;
  partial[block] = block + 1;  // here: result_read_too_early
  if (block != 0) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];  // here: result_read_too_early
  *out = sum;
}

}  // namespace

TEST_CASE("bug/missing_block_barrier") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(missing_block_barrier, {1, 64}, m.filled(64, 1u), m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/stencil_with_one_barrier") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(stencil_with_one_barrier, {1, 64}, m.filled(64, 1.0f), m.zeros<float>(64), 3);
  });
}

TEST_CASE("bug/scratch_used_again") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(scratch_used_again, {1, 64}, m.filled(64, 2u), m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/lost_update") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(lost_update, {2, 8}, m.zeros<unsigned>(16), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/in_place_neighbours") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(in_place_neighbours, {2, 16}, m.filled(34, 1.0f), 2, m.barrier()).cooperative();
  });
}

TEST_CASE("bug/block_barrier_between_blocks") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(block_barrier_between_blocks, {2, 8}, m.zeros<unsigned>(16), m.zeros<unsigned>(16));
  });
}

TEST_CASE("bug/volatile_only") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(volatile_only, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/struct_copied") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(struct_copied, {2, 4}, m.zeros<particle>(1), m.zeros<particle>(1), m.zeros<particle>(1));
  });
}

TEST_CASE("bug/two_threads_to_a_byte") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(two_threads_to_a_byte, {1, 64}, m.zeros<unsigned char>(32));
  });
}

TEST_CASE("bug/signalled_before_the_write") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(signalled_before_the_write, {2, 4}, m.zeros<fm::counter<>>(1), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("bug/fence_before_the_write") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(fence_before_the_write, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1), m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("bug/leader_writes_for_its_wave") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(leader_writes_for_its_wave, {1, 64}, m.zeros<unsigned>(2), m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/result_read_too_early") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(result_read_too_early, {3, 4}, m.zeros<unsigned>(3), m.zeros<unsigned>(1),
                     m.barrier<fm::monotonic>())
        .cooperative();
  });
}
