// The last tile would lack threads.
// EXPECT: fermata::tile_scratch<N, Threads>: the block must be a multiple of N threads
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 192>);
  *p = fm::tiled_partition<128>(fm::this_block(), scratch).thread_rank();
}
