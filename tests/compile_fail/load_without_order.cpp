// There is no default order.
// EXPECT: (no matching (member )?function|no instance of function template) .*\bload\b
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  int const v = fm::device_atomic_ref<int>(*p).load();
  *p = v;
}
