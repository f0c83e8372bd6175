// Barriers of the block and of the grid that not all threads reach, or not the same ones. The lines are those of the
// barriers at which threads wait.
#include "../support.hpp"

namespace {

// C2. A barrier in a branch: half of the block waits there, the other half at the next one.
FERMATA_KERNEL barrier_in_branch(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank < 32) fm::this_block().sync();  // here: barrier_in_branch
  out[rank] = rank;
  fm::this_block().sync();  // here: barrier_in_branch
}

// C3. A barrier in a loop that turns more often for some threads: they wait there while the others wait behind it.
FERMATA_KERNEL barrier_in_loop(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned sum = 0;
  for (unsigned i = 0; i <= rank % 2; ++i) {
    sum += i;
    fm::this_block().sync();  // here: barrier_in_loop
  }
  out[rank] = sum;
  fm::this_block().sync();  // here: barrier_in_loop
}

// The same number of barriers in both branches, but not the same barriers.
FERMATA_KERNEL barrier_in_both_branches(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank % 2 == 0) {
    out[rank] = rank;
    fm::this_block().sync();  // here: barrier_in_both_branches
  } else {
    fm::this_block().sync();  // here: barrier_in_both_branches
    out[rank] = rank;
  }
}

// Some threads vote at the barrier, others just wait.
FERMATA_KERNEL barriers_of_two_kinds(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0)
    out[0] = fm::this_block().sync_count(true);  // here: barriers_of_two_kinds
  else
    fm::this_block().sync();  // here: barriers_of_two_kinds
}

// One thread waits for the grid, the others of its block for the block.
FERMATA_KERNEL grid_barrier_by_leader(unsigned* out) {
  if (fm::this_block().thread_rank() == 0) fm::this_grid().sync();  // here: grid_barrier_by_leader
  fm::this_block().sync();                                          // here: grid_barrier_by_leader
  out[fm::this_grid().thread_rank()] = 1;
}

// Threads beyond the end of the data return before the barrier. Where they return may be named, too.
FERMATA_KERNEL early_return(unsigned* data, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= count) return;  // here: early_return?
  data[i] = i;
  fm::this_block().sync();  // here: early_return
}

// A whole wave returns: that some hardware forgives.
FERMATA_KERNEL half_the_block_returns(unsigned* data) {
  unsigned const rank = fm::this_block().thread_rank();
  data[rank] = rank;
  if (rank >= 32) return;   // here: half_the_block_returns?
  fm::this_block().sync();  // here: half_the_block_returns
  data[rank] += 1;
}

// The loop of unequal trip counts once more, with nothing behind it: who has done fewer turns has returned.
FERMATA_KERNEL loop_left_by_return(unsigned* data) {
  unsigned const rank = fm::this_block().thread_rank();
  for (unsigned i = 0; i <= rank % 4; ++i) {
    data[rank] += i;
    fm::this_block().sync();  // here: loop_left_by_return
  }
}  // here: loop_left_by_return?

// Only the threads that have something to add meet in the reduction of the block. (Whole waves of 32 return; of a wave
// of 64 half would, which is a mistake of another kind in the same line.)
FERMATA_KERNEL reduction_by_some(unsigned* out, unsigned count) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank >= count) return;                                // here: reduction_by_some?
  unsigned const sum = fm::block_reduce(rank, fm::plus{});  // here: reduction_by_some
  if (rank == 0) *out = sum;
}

// Block 0 synchronises the grid once more than the others.
FERMATA_KERNEL unequal_grid_syncs(unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  fm::this_grid().sync();
  if (block == 0) fm::this_grid().sync();  // here: unequal_grid_syncs
  if (fm::this_block().thread_rank() == 0) out[block] = block;
}

// The number of steps depends on the block.
FERMATA_KERNEL unequal_grid_steps(unsigned const* steps, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned s = 0; s < steps[block]; ++s) {
    if (fm::this_block().thread_rank() == 0) out[block] = s;
    fm::this_grid().sync();  // here: unequal_grid_steps
  }
}

// The same with a barrier of the library's own.
FERMATA_KERNEL unequal_barrier_steps(unsigned const* steps, unsigned* out, fm::grid_barrier<fm::monotonic> barrier) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned s = 0; s < steps[block]; ++s) {
    if (fm::this_block().thread_rank() == 0) out[block] = s;
    barrier.sync();  // here: unequal_barrier_steps
  }
}

}  // namespace

TEST_CASE("bug/barrier_in_branch") {
  test::finds(kind::barrier_divergence, [](test::memory& m) {
    return fm::check(barrier_in_branch, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/barrier_in_loop") {
  test::finds(kind::barrier_divergence, [](test::memory& m) {
    return fm::check(barrier_in_loop, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/barrier_in_both_branches") {
  test::finds(kind::barrier_divergence, [](test::memory& m) {
    return fm::check(barrier_in_both_branches, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/barriers_of_two_kinds") {
  test::finds(kind::barrier_divergence, [](test::memory& m) {
    return fm::check(barriers_of_two_kinds, {1, 64}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/grid_barrier_by_leader") {
  test::finds(kind::barrier_divergence, [](test::memory& m) {
    return fm::check(grid_barrier_by_leader, {2, 32}, m.zeros<unsigned>(64)).cooperative();
  });
}

TEST_CASE("bug/early_return") {
  test::finds(kind::exited_thread_at_barrier, [](test::memory& m) {
    return fm::check(early_return, {2, 32}, m.zeros<unsigned>(50), 50);
  });
}

TEST_CASE("bug/half_the_block_returns") {
  test::finds(kind::exited_thread_at_barrier, [](test::memory& m) {
    return fm::check(half_the_block_returns, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/loop_left_by_return") {
  test::finds(kind::exited_thread_at_barrier, [](test::memory& m) {
    return fm::check(loop_left_by_return, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/reduction_by_some") {
  test::finds(kind::exited_thread_at_barrier,
              [](test::memory& m) {
                return fm::check(reduction_by_some, {1, 64}, m.zeros<unsigned>(1), 32);
              },
              {.waves = {32}});
}

TEST_CASE("bug/unequal_grid_syncs") {
  test::finds(kind::unequal_grid_sync, [](test::memory& m) {
    return fm::check(unequal_grid_syncs, {2, 4}, m.zeros<unsigned>(2)).cooperative();
  });
}

TEST_CASE("bug/unequal_grid_steps") {
  test::finds(kind::unequal_grid_sync, [](test::memory& m) {
    return fm::check(unequal_grid_steps, {3, 4}, m.uploaded(std::vector<unsigned>{2, 2, 1}), m.zeros<unsigned>(3))
        .cooperative();
  });
}

TEST_CASE("bug/unequal_barrier_steps") {
  test::finds(
      kind::unequal_grid_sync,
      [](test::memory& m) {
        return fm::check(unequal_barrier_steps, {3, 4}, m.uploaded(std::vector<unsigned>{2, 2, 1}),
                         m.zeros<unsigned>(3), m.barrier<fm::monotonic>())
            .cooperative();
      },
      // The library's barriers are made of atomic words; to those who wait there it is a signal that does not come.
      {.instead = {kind::lost_signal}});
}
