// An atomic is not copied: which value would the copy have?
// EXPECT: (use of deleted function|deleted constructor|cannot be referenced -- it is a deleted function)
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::atomic<int, fm::thread_scope_device>* p) {
  auto copy = *p;
  copy.store(1, fm::memory_order_relaxed);
}
