// The twin of bug/fast_math.cpp, compiled with -ffast-math as that is.
#include "../support.hpp"

namespace {

// The mark is compared as bits, which the compiler knows nothing special about.
FERMATA_KERNEL poll_by_bits(unsigned* slot, unsigned empty, float* data, float* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const value(*slot);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42.0f;
    value.store(__builtin_bit_cast(unsigned, 1.0f), fm::memory_order_release);
  } else {
    while (value.load(fm::memory_order_acquire) == empty) {
    }
    *out = *data;
  }
}

}  // namespace

TEST_CASE("clean/isnan_poll") {
  test::stays_clean([](test::memory& m) {
    return fm::check(poll_by_bits, {2, 4}, m.filled(1, 0x7FA5A5A5u), 0x7FA5A5A5u, m.zeros<float>(1), m.zeros<float>(1))
        .cooperative();
  });
}
