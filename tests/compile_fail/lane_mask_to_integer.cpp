// A mask is no integer: its width differs.
// EXPECT: cannot convert|no suitable conversion function|no viable conversion
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(unsigned* p) {
  unsigned const mask = fm::this_wave().ballot(true);
  *p = mask;
}
