// Bits that floats make something of.
#pragma once

#include <type_traits>

#include "support.hpp"

namespace test {

// The unsigned integer of T's size.
template <class T>
using bits_t = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

// Both infinities, both zeros, the smallest and largest subnormal and normal numbers, quiet and signalling NaNs with
// their first, their last and random payloads, of both signs, for a float of so many bits of mantissa.
template <class Bits>
std::vector<Bits> float_classes(unsigned mantissa) {
  Bits const one = 1, sign = static_cast<Bits>(one << (sizeof(Bits) * 8 - 1)),
             infinity = static_cast<Bits>(sign - (one << mantissa)), quiet = static_cast<Bits>(one << (mantissa - 1)),
             payload = static_cast<Bits>((one << mantissa) - 1);
  std::vector<Bits> result;
  for (Bits s : {Bits{0}, sign}) {
    for (unsigned long long magnitude : {0ull, 1ull, quiet - 1ull, payload + 0ull, payload + 1ull, infinity - 1ull,
                                         infinity + 0ull, infinity | 0ull | quiet, infinity | 1ull | quiet,
                                         infinity | 0ull | payload, infinity | 1ull, infinity | (quiet - 1ull)})
      result.push_back(static_cast<Bits>(s | magnitude));
    for (unsigned i = 0; i < 20; ++i)
      result.push_back(
          static_cast<Bits>(s | infinity | ((std::uint64_t{mix(2 * i)} << 32 | mix(2 * i + 1)) & payload) | 2));
  }
  return result;
}

}  // namespace test
