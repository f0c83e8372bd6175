// bool is not a number to an atomic.
// EXPECT: fermata::atomic_ref: bitwise operations need an integer T
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(bool* p) { fm::device_atomic_ref<bool>(*p).fetch_xor(true, fm::memory_order_relaxed); }
