// More ranks than a lane_mask has lanes.
// EXPECT: fermata::tile<N>::match_any: a tile of more than 32 threads .* Use match_all.., or this_wave...match_any
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<64, 256>);
  *p = fm::tiled_partition<64>(fm::this_block(), scratch).match_any(*p).count();
}
