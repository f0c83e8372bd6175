// The twins of bug/mixed.cpp.
#include "../support.hpp"

namespace {

FERMATA_KERNEL atomic_read_before_cas(float const* in, float* largest) {
  if (fm::this_block().thread_rank() != 0) return;
  float const value = in[fm::this_grid().block_rank()];
  fm::device_atomic_ref<float> const ref(*largest);
  float seen = ref.load(fm::memory_order_relaxed);
  while (seen < value)
    if (ref.compare_exchange_weak(seen, value, fm::memory_order_relaxed)) break;
}

FERMATA_KERNEL atomic_read_of_a_count(unsigned* count, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const shared(*count);
  if (fm::this_grid().block_rank() == 0)
    *out = shared.load(fm::memory_order_relaxed);
  else
    shared.fetch_add(1, fm::memory_order_relaxed);
}

// Plain accesses before and after, with a barrier between them and the atomic ones.
FERMATA_KERNEL atomic_additions_to_a_sum(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) sum = 0;
  fm::this_block().sync();
  if (rank == 63 || rank < 4) fm::block_atomic_ref<unsigned>(sum).fetch_add(rank, fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank == 0) *out = sum;
}

FERMATA_KERNEL one_size(std::uint64_t* both) {
  if (fm::this_block().thread_rank() != 0) return;
  std::uint64_t const one = fm::this_grid().block_rank() == 0 ? 1ull << 32 : 1;
  fm::device_atomic_ref<std::uint64_t>(*both).fetch_add(one, fm::memory_order_relaxed);
}

}  // namespace

TEST_CASE("clean/plain_read_before_cas") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_read_before_cas, {4, 4}, m.uploaded(std::vector<float>{1, 2, 3, 4}), m.zeros<float>(1));
  });
}

TEST_CASE("clean/plain_read_of_a_count") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_read_of_a_count, {3, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/plain_addition_to_a_sum") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_additions_to_a_sum, {1, 64}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/two_sizes") {
  test::stays_clean([](test::memory& m) { return fm::check(one_size, {2, 4}, m.zeros<std::uint64_t>(1)); });
}
