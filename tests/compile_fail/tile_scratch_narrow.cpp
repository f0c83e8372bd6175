// A tile inside a wave needs no memory.
// EXPECT: fermata::tile_scratch<N, Threads>: N must be 64, 128, 256, 512 or 1024; narrower tiles need no scratch
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<32, 64>);
  *p = scratch.arrived[0];
}
