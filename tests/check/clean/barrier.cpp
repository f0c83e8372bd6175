// The twins of bug/barrier.cpp.
#include "../support.hpp"

namespace {

// A condition that is the same in all threads of the block divides nobody.
FERMATA_KERNEL barrier_in_uniform_branch(unsigned* out, bool twice) {
  unsigned const rank = fm::this_block().thread_rank();
  if (twice) fm::this_block().sync();
  out[rank] = rank;
  fm::this_block().sync();
}

FERMATA_KERNEL barrier_in_uniform_loop(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned sum = 0;
  for (unsigned i = 0; i < 2; ++i) {
    if (i <= rank % 2) sum += i;
    fm::this_block().sync();
  }
  out[rank] = sum;
  fm::this_block().sync();
}

FERMATA_KERNEL barrier_behind_the_branches(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank % 2 == 0) out[rank] = rank;
  fm::this_block().sync();
  if (rank % 2 != 0) out[rank] = rank;
}

FERMATA_KERNEL barriers_of_one_kind(unsigned* out) {
  unsigned const count = fm::this_block().sync_count(true);
  if (fm::this_block().thread_rank() == 0) out[0] = count;
}

FERMATA_KERNEL grid_barrier_by_all(unsigned* out) {
  fm::this_grid().sync();
  fm::this_block().sync();
  out[fm::this_grid().thread_rank()] = 1;
}

FERMATA_KERNEL work_in_the_branch(unsigned* data, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i < count) data[i] = i;
  fm::this_block().sync();
}

FERMATA_KERNEL half_the_block_returns_late(unsigned* data) {
  unsigned const rank = fm::this_block().thread_rank();
  data[rank] = rank;
  fm::this_block().sync();
  if (rank >= 32) return;
  data[rank] += 1;
}

FERMATA_KERNEL loop_left_together(unsigned* data) {
  unsigned const rank = fm::this_block().thread_rank();
  for (unsigned i = 0; i < 4; ++i) {
    if (i <= rank % 4) data[rank] += i;
    fm::this_block().sync();
  }
}

FERMATA_KERNEL reduction_by_all(unsigned* out, unsigned count) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const sum = fm::block_reduce(rank < count ? rank : 0u, fm::plus{});
  if (rank == 0) *out = sum;
}

FERMATA_KERNEL equal_grid_syncs(unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  fm::this_grid().sync();
  if (block == 0 && fm::this_block().thread_rank() == 0) out[1] = 7;
  fm::this_grid().sync();
  if (block == 1 && fm::this_block().thread_rank() == 0) out[0] = out[1];
}

FERMATA_KERNEL equal_grid_steps(unsigned const* steps, unsigned most, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned s = 0; s < most; ++s) {
    if (s < steps[block] && fm::this_block().thread_rank() == 0) out[block] = s;
    fm::this_grid().sync();
  }
}

FERMATA_KERNEL equal_barrier_steps(unsigned const* steps, unsigned most, unsigned* out,
                                   fm::grid_barrier<fm::monotonic> barrier) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned s = 0; s < most; ++s) {
    if (s < steps[block] && fm::this_block().thread_rank() == 0) out[block] = s;
    barrier.sync();
  }
}

}  // namespace

TEST_CASE("clean/barrier_in_branch") {
  test::stays_clean([](test::memory& m) {
    return fm::check(barrier_in_uniform_branch, {1, 64}, m.zeros<unsigned>(64), true);
  });
}

TEST_CASE("clean/barrier_in_loop") {
  test::stays_clean([](test::memory& m) { return fm::check(barrier_in_uniform_loop, {1, 64}, m.zeros<unsigned>(64)); });
}

TEST_CASE("clean/barrier_in_both_branches") {
  test::stays_clean([](test::memory& m) {
    return fm::check(barrier_behind_the_branches, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/barriers_of_two_kinds") {
  test::stays_clean([](test::memory& m) { return fm::check(barriers_of_one_kind, {1, 64}, m.zeros<unsigned>(1)); });
}

TEST_CASE("clean/grid_barrier_by_leader") {
  test::stays_clean([](test::memory& m) {
    return fm::check(grid_barrier_by_all, {2, 32}, m.zeros<unsigned>(64)).cooperative();
  });
}

TEST_CASE("clean/early_return") {
  test::stays_clean([](test::memory& m) { return fm::check(work_in_the_branch, {2, 32}, m.zeros<unsigned>(50), 50); });
}

TEST_CASE("clean/half_the_block_returns") {
  test::stays_clean([](test::memory& m) {
    return fm::check(half_the_block_returns_late, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/loop_left_by_return") {
  test::stays_clean([](test::memory& m) { return fm::check(loop_left_together, {1, 32}, m.zeros<unsigned>(32)); });
}

TEST_CASE("clean/reduction_by_some") {
  test::stays_clean([](test::memory& m) { return fm::check(reduction_by_all, {1, 64}, m.zeros<unsigned>(1), 32); });
}

TEST_CASE("clean/unequal_grid_syncs") {
  test::stays_clean([](test::memory& m) {
    return fm::check(equal_grid_syncs, {2, 4}, m.zeros<unsigned>(2)).cooperative();
  });
}

TEST_CASE("clean/unequal_grid_steps") {
  test::stays_clean([](test::memory& m) {
    return fm::check(equal_grid_steps, {3, 4}, m.uploaded(std::vector<unsigned>{2, 2, 1}), 2, m.zeros<unsigned>(3))
        .cooperative();
  });
}

TEST_CASE("clean/unequal_barrier_steps") {
  test::stays_clean([](test::memory& m) {
    return fm::check(equal_barrier_steps, {3, 4}, m.uploaded(std::vector<unsigned>{2, 2, 1}), 2, m.zeros<unsigned>(3),
                     m.barrier<fm::monotonic>())
        .cooperative();
  });
}
