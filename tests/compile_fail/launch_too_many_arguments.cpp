// A launch passes no more than the parameters.
// EXPECT: fermata::launch_cooperative: the number of arguments is not the kernel.?s number of parameters
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { *p = 1; }

void go(fm::stream const& s) { fm::launch_cooperative(s, {1, 32}, kernel, nullptr, 2); }
