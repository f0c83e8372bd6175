// Nor can it be timed.
// EXPECT: the vendor's barrier does the waiting and cannot .*be timed. Use grid_barrier<monotonic, with_deadline>
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::grid_barrier<fm::cooperative, fm::with_deadline> barrier) { barrier.sync(); }
