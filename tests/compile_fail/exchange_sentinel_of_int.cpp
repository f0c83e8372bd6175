// Every integer is a value.
// EXPECT: fermata::exchange<T, sentinel_protocol>: T has no value to spare. Use flagged_protocol .* or specialise
// fermata::sentinel_traits
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::exchange<int, fm::sentinel_protocol> all) { all.open().advance(); }
