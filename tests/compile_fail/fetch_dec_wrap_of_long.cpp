// The wrapping counters are for unsigned.
// EXPECT: fermata::atomic_ref::fetch_dec_wrap: only for unsigned, as on the GPUs. Write a compare_exchange loop
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned long long* p) {
  fm::device_atomic_ref<unsigned long long>(*p).fetch_dec_wrap(3, fm::memory_order_relaxed);
}
