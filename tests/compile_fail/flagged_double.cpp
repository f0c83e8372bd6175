// Eight bytes leave no room for the step.
// EXPECT: fermata::flagged<T>: T must be trivially copyable and have at most 4 bytes
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::flagged<double>* slot) { slot->publish(1.0, 1); }
