// The twins of bug/race.cpp.
#include "../support.hpp"

namespace {

FERMATA_KERNEL missing_block_barrier(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(tile, unsigned[64]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = 0;
  fm::this_block().sync();
  tile[rank] = in[rank];
  fm::this_block().sync();
  out[rank] = tile[(rank + 32) % 64];
}

FERMATA_KERNEL stencil_with_two_barriers(float const* in, float* out, unsigned steps) {
  FERMATA_SHARED(tile, float[64]);
  unsigned const rank = fm::this_block().thread_rank();
  tile[rank] = in[rank];
  fm::this_block().sync();
  for (unsigned s = 0; s < steps; ++s) {
    float const mean = 0.5f * (tile[(rank + 63) % 64] + tile[(rank + 1) % 64]);
    fm::this_block().sync();
    tile[rank] = mean;
    fm::this_block().sync();
  }
  out[rank] = tile[rank];
}

FERMATA_DEVICE unsigned block_sum(unsigned value, unsigned* scratch) {
  scratch[fm::this_block().thread_rank()] = value;
  fm::this_block().sync();
  unsigned sum = 0;
  for (unsigned i = 0; i < fm::this_block().size(); ++i) sum += scratch[i];
  fm::this_block().sync();
  return sum;
}

FERMATA_KERNEL scratch_used_again(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(scratch, unsigned[64]);
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const sum = block_sum(in[rank], scratch);
  out[rank] = sum + block_sum(in[rank] * in[rank], scratch);
}

FERMATA_KERNEL atomic_update(unsigned const* keys, unsigned* counts) {
  unsigned& count = counts[keys[fm::this_grid().thread_rank()]];
  fm::device_atomic_ref<unsigned>(count).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL neighbours_in_two_buffers(float* a, float* b, unsigned steps, fm::grid_barrier<> barrier) {
  unsigned const i = 1 + static_cast<unsigned>(fm::this_grid().thread_rank());
  for (unsigned s = 0; s < steps; ++s) {
    b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    barrier.sync();
    float* const other = a;
    a = b;
    b = other;
  }
}

FERMATA_KERNEL grid_barrier_between_blocks(unsigned* values, unsigned* out, fm::grid_barrier<> barrier) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  values[i] = i * i;
  barrier.sync();
  out[i] = values[(i + 8) % 16];
}

FERMATA_KERNEL atomic_mailbox(unsigned* mailbox, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const box(*mailbox);
  if (fm::this_grid().block_rank() == 0)
    box.store(7, fm::memory_order_relaxed);
  else
    *out = box.load(fm::memory_order_relaxed);
}

struct alignas(16) particle {
  float x, y, z, mass;
};

FERMATA_KERNEL struct_copied(particle const* from, particle* shared, particle* to, fm::counter<>* done) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0) {
    *shared = *from;
    done->signal();
  } else {
    done->await(1);
    *to = *shared;
  }
}

// Bytes side by side, each of one thread.
FERMATA_KERNEL a_byte_for_each_thread(unsigned char* flags) {
  unsigned const rank = fm::this_block().thread_rank();
  flags[rank] = static_cast<unsigned char>(rank);
  flags[rank] = static_cast<unsigned char>(flags[rank] + 1);
}

FERMATA_KERNEL signalled_after_the_write(fm::counter<>* done, unsigned* data, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    done->signal();
  } else {
    done->await(1);
    *out = *data;
  }
}

FERMATA_KERNEL fence_after_the_write(unsigned* flag, unsigned* data, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const ready(*flag);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
    ready.store(1, fm::memory_order_relaxed);
  } else {
    while (ready.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

FERMATA_KERNEL leader_writes_for_its_wave(unsigned* slots, unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank(), wave = rank / fm::wave::size();
  if (fm::this_wave().elect()) slots[wave] = rank + 1;
  fm::this_wave().sync();
  out[rank] = slots[wave];
}

FERMATA_KERNEL result_read_in_time(unsigned* partial, unsigned* out, fm::grid_barrier<fm::monotonic> barrier) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  bool const leads = fm::this_block().thread_rank() == 0;
  if (leads) partial[block] = block + 1;
  barrier.sync();
  if (!leads || block != 0) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) sum += partial[b];
  *out = sum;
}

}  // namespace

TEST_CASE("clean/missing_block_barrier") {
  test::stays_clean([](test::memory& m) {
    return fm::check(missing_block_barrier, {1, 64}, m.filled(64, 1u), m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/stencil_with_one_barrier") {
  test::stays_clean([](test::memory& m) {
    return fm::check(stencil_with_two_barriers, {1, 64}, m.filled(64, 1.0f), m.zeros<float>(64), 3);
  });
}

TEST_CASE("clean/scratch_used_again") {
  test::stays_clean([](test::memory& m) {
    return fm::check(scratch_used_again, {1, 64}, m.filled(64, 2u), m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/lost_update") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_update, {2, 8}, m.zeros<unsigned>(16), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/in_place_neighbours") {
  test::stays_clean([](test::memory& m) {
    return fm::check(neighbours_in_two_buffers, {2, 16}, m.filled(34, 1.0f), m.filled(34, 1.0f), 2, m.barrier())
        .cooperative();
  });
}

TEST_CASE("clean/block_barrier_between_blocks") {
  test::stays_clean([](test::memory& m) {
    return fm::check(grid_barrier_between_blocks, {2, 8}, m.zeros<unsigned>(16), m.zeros<unsigned>(16), m.barrier())
        .cooperative();
  });
}

TEST_CASE("clean/volatile_only") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_mailbox, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/struct_copied") {
  test::stays_clean([](test::memory& m) {
    return fm::check(struct_copied, {2, 4}, m.zeros<particle>(1), m.zeros<particle>(1), m.zeros<particle>(1),
                     m.zeros<fm::counter<>>(1))
        .cooperative();
  });
}

TEST_CASE("clean/two_threads_to_a_byte") {
  test::stays_clean([](test::memory& m) {
    return fm::check(a_byte_for_each_thread, {1, 64}, m.zeros<unsigned char>(64));
  });
}

TEST_CASE("clean/signalled_before_the_write") {
  test::stays_clean([](test::memory& m) {
    return fm::check(signalled_after_the_write, {2, 4}, m.zeros<fm::counter<>>(1), m.zeros<unsigned>(1),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("clean/fence_before_the_write") {
  test::stays_clean([](test::memory& m) {
    return fm::check(fence_after_the_write, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1), m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("clean/leader_writes_for_its_wave") {
  test::stays_clean([](test::memory& m) {
    return fm::check(leader_writes_for_its_wave, {1, 64}, m.zeros<unsigned>(2), m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/result_read_too_early") {
  test::stays_clean([](test::memory& m) {
    return fm::check(result_read_in_time, {3, 4}, m.zeros<unsigned>(3), m.zeros<unsigned>(1),
                     m.barrier<fm::monotonic>())
        .cooperative();
  });
}
