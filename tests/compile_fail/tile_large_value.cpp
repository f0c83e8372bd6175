// What a wave brings must fit into its part of the scratch.
// EXPECT: in tiles of more than 32 threads a reduction or a scan takes values of at most 128 bytes
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct large {
  unsigned w[33];
};
struct first_of_two {
  FERMATA_FN large operator()(large const& a, large const&) const { return a; }
};

FERMATA_KERNEL kernel(large* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
  *p = fm::tiled_partition<128>(fm::this_block(), scratch).reduce(*p, first_of_two{});
}
