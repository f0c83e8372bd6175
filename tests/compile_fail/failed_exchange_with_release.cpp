// A compare-exchange that fails only loads.
// EXPECT: fermata::atomic_ref::compare_exchange: the failure order must be relaxed, acquire or seq_cst; a failed
// exchange only loads
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  int e = 0;
  fm::device_atomic_ref<int>(*p).compare_exchange_strong(e, 1, fm::memory_order_acq_rel, fm::memory_order_release);
}
