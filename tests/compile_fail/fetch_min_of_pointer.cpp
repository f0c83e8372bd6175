// Pointers have no minimum.
// EXPECT: fermata::atomic_ref: arithmetic operations need an integer, float or double T. Use a compare_exchange loop
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int** p) {
  fm::device_atomic_ref<int*>(*p).fetch_min(nullptr, fm::memory_order_relaxed);
}
