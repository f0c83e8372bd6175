// The algorithms of the grid barrier are a closed set.
// EXPECT: incomplete type|implicit instantiation of undefined template|undefined template
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct my_own {};

FERMATA_KERNEL kernel(fm::grid_barrier<my_own>* barrier) { barrier->sync(); }
