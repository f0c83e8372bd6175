// A load cannot release.
// EXPECT: fermata::atomic_ref::load: the order must be relaxed, acquire or seq_cst
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  int const v = fm::device_atomic_ref<int>(*p).load(fm::memory_order_acq_rel);
  *p = v;
}
