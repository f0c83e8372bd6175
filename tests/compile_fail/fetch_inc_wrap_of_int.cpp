// The wrapping counters are for unsigned.
// EXPECT: fermata::atomic_ref::fetch_inc_wrap: only for unsigned, as on the GPUs. Write a compare_exchange loop
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).fetch_inc_wrap(3, fm::memory_order_relaxed); }
