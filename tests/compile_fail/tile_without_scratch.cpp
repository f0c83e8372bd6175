// Waves meet in shared memory.
// EXPECT: fermata::tiled_partition<N>.this_block...: tiles of more than 32 threads meet in shared memory. Pass a
// tile_scratch<N, Threads> declared by FERMATA_SHARED
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) { *p = fm::tiled_partition<128>(fm::this_block()).size(); }
