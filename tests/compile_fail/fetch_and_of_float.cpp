// Bitwise operations are for integers.
// EXPECT: fermata::atomic_ref: bitwise operations need an integer T. Use an integer of the same size, or a
// compare_exchange loop
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(float* p) { fm::device_atomic_ref<float>(*p).fetch_and(1.0f, fm::memory_order_relaxed); }
