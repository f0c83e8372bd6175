// Operators would hide the order.
// EXPECT: no match(ing)? .*operator ?"?\+\+|no operator "\+\+"|cannot increment value of type
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(int* p) {
  fm::device_atomic_ref<int> ref(*p);
  ++ref;
}
