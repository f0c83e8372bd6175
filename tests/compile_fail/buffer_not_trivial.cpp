// Buffers copy bytes.
// EXPECT: fermata::buffer<T>: T is copied as bytes, so it must be trivially copyable
#include <fermata/fermata.hpp>

namespace fm = fermata;

#include <string>

void go(fm::device const& d) { fm::buffer<std::string> const names(d, 3); }
