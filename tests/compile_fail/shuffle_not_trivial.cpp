// A shuffle copies bytes.
// EXPECT: fermata::wave: a value that travels between lanes must be trivially copyable on every backend. Send its
// members
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct counted {
  int value;
  FERMATA_FN explicit counted(int v) : value(v) {}
  FERMATA_FN counted(counted const& other) : value(other.value) {}
};

FERMATA_KERNEL kernel(int* p) {
  counted const mine(*p);
  *p = fm::this_wave().shfl(mine, 0).value;
}
