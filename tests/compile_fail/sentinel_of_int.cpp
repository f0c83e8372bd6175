// Every integer is a value.
// EXPECT: fermata::sentinel<T>: T has no value to spare for an empty slot. Use flagged<T> .* or specialise
// fermata::sentinel_traits
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::sentinel<int>* slot) { slot->publish(1); }
