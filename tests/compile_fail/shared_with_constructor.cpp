// Nothing constructs shared memory.
// EXPECT: FERMATA_SHARED: no constructor runs for shared memory; the type must be trivial
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct zeroed {
  int value = 0;
};

FERMATA_KERNEL kernel(int* p) {
  FERMATA_SHARED(cell, zeroed);
  *p = cell.value;
}
