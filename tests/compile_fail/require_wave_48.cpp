// There is no such wave.
// EXPECT: FERMATA_REQUIRE_WAVE: a wave has 32 or 64 lanes
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) { *p = fm::wave::size(); }
FERMATA_REQUIRE_WAVE(48, kernel);
