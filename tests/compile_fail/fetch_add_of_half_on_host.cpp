// BACKEND: host
// The host backend moves 16-bit floats, and does not add them.
// EXPECT: fermata::atomic_ref::fetch_add: the host backend has no arithmetic of 16-bit floats. Use float there
#include <fermata/half.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::half* p, fm::half v) {
  fm::device_atomic_ref<fm::half>(*p).fetch_add(v, fm::memory_order_relaxed);
}
