// The promise about the memory is for sums of floats.
// EXPECT: fermata::atomic_ref::fetch_add.coarse_grained.: only sums of float and double are faster in coarse-grained
// memory. Leave the promise out.
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  fm::device_atomic_ref<int>(*p).fetch_add(1, fm::memory_order_relaxed, fm::coarse_grained);
}
