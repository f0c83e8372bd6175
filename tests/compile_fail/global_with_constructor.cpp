// Nothing constructs device globals.
// EXPECT: FERMATA_GLOBAL: no constructor runs for device globals; the type must be trivial
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct zeroed {
  int value = 1;
};
FERMATA_GLOBAL(cell, zeroed);

FERMATA_KERNEL kernel(int* p) { *p = cell.value; }
