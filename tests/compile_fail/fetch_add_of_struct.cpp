// Arithmetic is for numbers.
// EXPECT: fermata::atomic_ref: arithmetic operations need an integer, float or double T. Use a compare_exchange loop
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct wrapped {
  int value;
};

FERMATA_KERNEL kernel(wrapped* p) {
  fm::device_atomic_ref<wrapped>(*p).fetch_add(wrapped{1}, fm::memory_order_relaxed);
}
