// No hardware has an atomic of three bytes.
// EXPECT: fermata::atomic_ref<T>: sizeof\(T\) is not 1, 2, 4 or 8; no backend has a lock-free instruction for it. Split
// it into words
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct color {
  unsigned char r, g, b;
};

FERMATA_KERNEL kernel(color* p) {
  fm::device_atomic_ref<color> const ref(*p);
  ref.is_lock_free();
}
