// A load cannot release.
// EXPECT: fermata::atomic_ref::load: the order must be relaxed, acquire or seq_cst; a load cannot release. Use a fence
// or an RMW
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  int const v = fm::device_atomic_ref<int>(*p).load(fm::memory_order_release);
  *p = v;
}
