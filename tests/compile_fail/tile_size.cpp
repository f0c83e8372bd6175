// Twelve lanes would cross the end of a wave.
// EXPECT: fermata::tile<N>: N must be a power of two, 1 to 1024
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) { *p = fm::tiled_partition<12>(fm::this_block()).thread_rank(); }
