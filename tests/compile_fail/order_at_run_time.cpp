// An order is known at compile time: the enumerator of the standard is not one of ours.
// EXPECT: (no matching (member )?function|no instance of function template) .*\bstore\b
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) { fm::device_atomic_ref<int>(*p).store(1, std::memory_order_release); }
