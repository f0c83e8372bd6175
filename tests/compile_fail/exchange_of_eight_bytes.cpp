// Eight bytes leave no room for the step, and a long has no value to spare.
// EXPECT: fermata::exchange<T>: T has more than 4 bytes and no value to spare. Specialise fermata::sentinel_traits
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::exchange<long> all) { all.open().advance(); }
