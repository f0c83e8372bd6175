// Dynamic shared memory has a fixed alignment.
// EXPECT: fermata::dynamic_shared<T>: dynamic shared memory is aligned to 16 bytes
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(64) line {
  int word[16];
};

FERMATA_KERNEL kernel(int* p) { *p = fm::dynamic_shared<line>()->word[0]; }
