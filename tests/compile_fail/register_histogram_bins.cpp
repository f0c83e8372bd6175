// Counters that do not fit into registers belong into shared memory.
// EXPECT: fermata::register_histogram<Bins>: more than 32 bins do not fit into a thread's registers on any backend. Use
// privatized_histogram
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* result) {
  fm::register_histogram<33> histogram;
  histogram.add(0);
  histogram.merge_into(result);
}
