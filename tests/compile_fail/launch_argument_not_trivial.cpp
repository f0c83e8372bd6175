// Kernel arguments are copied as bytes.
// EXPECT: fermata::launch: kernel arguments are copied as bytes on every backend.*trivially copyable
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct counted {
  int* count;
  FERMATA_FN counted(int* c) : count(c) {}
  FERMATA_FN counted(counted const& other) : count(other.count) {}
};

FERMATA_KERNEL kernel(counted c) { *c.count = 1; }

void go(fm::stream const& s, int* p) { fm::launch(s, {1, 32}, kernel, counted(p)); }
