// Lanes of one wave cannot wait for each other.
// EXPECT: fermata::counter: lanes of one wave must not wait for each other on any backend. Use this_wave\(\)
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::counter<fm::thread_scope_wave>* counter) { counter->await(1); }
