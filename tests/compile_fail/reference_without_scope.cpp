// There is no default scope.
// EXPECT: wrong number of template arguments|too few (template )?arguments|too few template arguments
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::atomic_ref<int>(*p).store(1, fm::memory_order_relaxed); }
