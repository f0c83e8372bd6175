// Sixteen bytes are more than every backend can move at once.
// EXPECT: fermata::atomic_ref<T>: sizeof\(T\) is not 1, 2, 4 or 8
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(16) wide {
  unsigned long long low, high;
};

FERMATA_KERNEL kernel(wide* p) {
  fm::device_atomic_ref<wide> const ref(*p);
  ref.is_lock_free();
}
