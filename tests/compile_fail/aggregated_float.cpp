// The old values of an aggregated addition come from one sum, which floats would round.
// EXPECT: fermata::aggregated_fetch_add: only for integers of 4 and 8 bytes, on every backend.* Use
// atomic_ref::fetch_add
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(float* sum, float* old) {
  *old = fm::aggregated_fetch_add(fm::device_atomic_ref<float>(*sum), 1.0f, fm::memory_order_relaxed);
}
