// More ranks than a lane_mask has lanes.
// EXPECT: fermata::tile<N>::ballot: a tile of more than 32 threads has more ranks than a lane_mask has lanes on some
// targets. Use any.. or all..
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
  *p = fm::tiled_partition<128>(fm::this_block(), scratch).ballot(*p != 0).count();
}
