// A pointer to void has no elements.
// EXPECT: fermata::atomic_ref: a pointer to void or to a function has no elements to count. Use a pointer to an object
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(void** p) {
  fm::device_atomic_ref<void*>(*p).fetch_add(1, fm::memory_order_relaxed);
}
