// There is no default order.
// EXPECT: (no matching (member )?function|no instance of (overloaded )?function( template)?) .*\bfetch_add\b
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).fetch_add(1); }
