// Compiled with -ffast-math: the compiler is told that there are no NaNs.
#include <cmath>

#include "../support.hpp"

namespace {

// C19. The mark for "nothing there yet" is a NaN, asked for by isnan, which is false by decree. The loop is gone, and
// the reader reads at once what nobody has written yet. (The orders are right: where the first read of the slot comes
// behind the write nothing is wrong. A data race, as no edge is broken.)
FERMATA_KERNEL isnan_poll(float* slot, float* data, float* out) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<float> const value(*slot);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42.0f;  // here: isnan_poll
    value.store(1.0f, fm::memory_order_release);
  } else {
    while (std::isnan(value.load(fm::memory_order_acquire))) {
    }
    *out = *data;  // here: isnan_poll
  }
}

}  // namespace

TEST_CASE("bug/isnan_poll") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(isnan_poll, {2, 4}, m.filled(1, __builtin_nanf("")), m.zeros<float>(1), m.zeros<float>(1))
        .cooperative();
  });
}
