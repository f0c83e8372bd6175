// A fence names its scope, too.
// EXPECT: (no matching (member )?function|no instance of function template) .*\batomic_thread_fence\b
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel() { fm::atomic_thread_fence(fm::memory_order_release); }
