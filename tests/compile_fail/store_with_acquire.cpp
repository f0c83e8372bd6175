// A store cannot acquire.
// EXPECT: fermata::atomic_ref::store: the order must be relaxed, release or seq_cst; a store cannot acquire. Use a
// fence or exchange
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).store(1, fm::memory_order_acquire); }
