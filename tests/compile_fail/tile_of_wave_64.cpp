// A wave may have 32 lanes, whatever the device at hand has.
// EXPECT: fermata::tiled_partition<N>.this_wave...: N must be at most 32, .* Partition the block
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) { *p = fm::tiled_partition<64>(fm::this_wave()).size(); }
