// The language cannot tell whether a class that holds floats has padding.
// EXPECT: fermata::atomic_ref<T>: T has padding bits \(or hides floats\)
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(8) point {
  float x, y;
};

FERMATA_KERNEL kernel(point* p) {
  fm::device_atomic_ref<point> const ref(*p);
  ref.is_lock_free();
}
