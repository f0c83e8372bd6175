// A launch passes every parameter.
// EXPECT: fermata::launch: the number of arguments is not the kernel.?s number of parameters
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p, int n) { *p = n; }

void go(fm::stream const& s) { fm::launch(s, {1, 32}, kernel, nullptr); }
