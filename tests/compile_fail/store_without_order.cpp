// There is no default order.
// EXPECT: (no matching (member )?function|no instance of function template) .*\bstore\b
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).store(1); }
