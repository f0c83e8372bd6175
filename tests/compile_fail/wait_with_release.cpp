// Waiting only loads.
// EXPECT: fermata::atomic_ref::wait: the order must be relaxed, acquire or seq_cst
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).wait(0, fm::memory_order_release); }
