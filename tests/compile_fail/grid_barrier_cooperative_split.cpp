// The vendor's grid barrier has no halves.
// EXPECT: grid_barrier<cooperative>: the vendor's barrier has no arrive and wait. Use sync\(\)
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::grid_barrier<fm::cooperative> barrier) { barrier.wait(barrier.arrive()); }
