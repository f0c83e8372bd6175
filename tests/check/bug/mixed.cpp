// Atomic and plain accesses of one word, or atomic ones of different sizes, that nothing orders.
#include "../support.hpp"

namespace {

// C21. The first value of a compare-exchange loop is read plainly, while others exchange.
FERMATA_KERNEL plain_read_before_cas(float const* in, float* largest) {
  if (fm::this_block().thread_rank() != 0) return;
  float const value = in[fm::this_grid().block_rank()];
  float seen = *largest;  // here: plain_read_before_cas
  fm::device_atomic_ref<float> const ref(*largest);
  while (seen < value)
    if (ref.compare_exchange_weak(seen, value, fm::memory_order_relaxed)) break;  // here: plain_read_before_cas
}

// A count is read plainly while others still add to it.
FERMATA_KERNEL plain_read_of_a_count(unsigned* count, unsigned* out) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0)
    *out = *count;  // here: plain_read_of_a_count
  else
    fm::device_atomic_ref<unsigned>(*count).fetch_add(1, fm::memory_order_relaxed);  // here: plain_read_of_a_count
}

// One of the writers has forgotten that the sum is shared.
FERMATA_KERNEL plain_addition_to_a_sum(unsigned* out) {
  FERMATA_SHARED(sum, unsigned);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) sum = 0;
  fm::this_block().sync();
  if (rank == 63)
    sum += 10;  // here: plain_addition_to_a_sum
  else if (rank < 4)
    fm::block_atomic_ref<unsigned>(sum).fetch_add(1, fm::memory_order_relaxed);  // here: plain_addition_to_a_sum
  fm::this_block().sync();
  if (rank == 0) *out = sum;
}

// One half of a word of 8 bytes is changed as a word of 4: neither atomic against the other.
FERMATA_KERNEL two_sizes(std::uint64_t* both) {
  if (fm::this_block().thread_rank() != 0) return;
  if (fm::this_grid().block_rank() == 0) {
    fm::device_atomic_ref<std::uint64_t>(*both).fetch_add(1ull << 32, fm::memory_order_relaxed);  // here: two_sizes
  } else {
    unsigned& low = reinterpret_cast<unsigned&>(*both);
    fm::device_atomic_ref<unsigned>(low).fetch_add(1, fm::memory_order_relaxed);  // here: two_sizes
  }
}

}  // namespace

TEST_CASE("bug/plain_read_before_cas") {
  test::finds(kind::mixed_access, [](test::memory& m) {
    return fm::check(plain_read_before_cas, {4, 4}, m.uploaded(std::vector<float>{1, 2, 3, 4}), m.zeros<float>(1));
  });
}

TEST_CASE("bug/plain_read_of_a_count") {
  test::finds(kind::mixed_access, [](test::memory& m) {
    return fm::check(plain_read_of_a_count, {3, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/plain_addition_to_a_sum") {
  test::finds(kind::mixed_access, [](test::memory& m) {
    return fm::check(plain_addition_to_a_sum, {1, 64}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/two_sizes") {
  test::finds(kind::mixed_access, [](test::memory& m) {
    return fm::check(two_sizes, {2, 4}, m.zeros<std::uint64_t>(1));
  });
}
