// Every bit of an integer counts.
// EXPECT: fermata::exchange<T, sense_bit_protocol>: T has no bit to spare. Use flagged_protocol .* or specialise
// fermata::sense_bit_traits
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::exchange<int, fm::sense_bit_protocol> all) { all.open().advance(); }
