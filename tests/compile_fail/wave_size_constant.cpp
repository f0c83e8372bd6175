// The width is asked for at run time.
// EXPECT: call to non-.?constexpr.? function|constant expression|expression must have a constant value
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  constexpr unsigned width = fm::wave::size();
  *p = width;
}
