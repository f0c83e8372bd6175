// Blocks of every shape whose waves behave differently, and where a thread must find itself in its wave.
#pragma once

#include "support.hpp"

namespace test {

// The wave of a thread, its lane, and how many lanes its wave has.
struct place {
  unsigned wave, lane, live;
};

inline place place_of(unsigned thread, unsigned threads) {
  unsigned const width = wave_size(), wave = thread / width;
  unsigned const left = threads - wave * width;
  return {wave, thread % width, left < width ? left : width};
}

// A lone partial wave of each size, and a full wave with a partial one of each size behind it.
inline std::vector<fm::dim3> shapes_with_every_partial_wave() {
  std::vector<fm::dim3> shapes;
  for (unsigned n = 1; n <= 2 * wave_size(); ++n) shapes.push_back(fm::dim3(n));
  return shapes;
}

// A few that cost less, for what is tested for many types.
inline std::vector<fm::dim3> some_shapes() {
  unsigned const w = wave_size();
  return {fm::dim3(1),         fm::dim3(2),         fm::dim3(w / 2 - 1), fm::dim3(w / 2),
          fm::dim3(w / 2 + 1), fm::dim3(w - 1),     fm::dim3(w),         fm::dim3(w + 1),
          fm::dim3(w + 5),     fm::dim3(2 * w - 1), fm::dim3(3 * w),     fm::dim3(5, 7),
          fm::dim3(3, 5, 9),   fm::dim3(16, 4, 2),  fm::dim3(1, 40),     fm::dim3(1, 1, 50)};
}

// Values of the sizes that travel between lanes: 3 to 24 bytes, odd ones included, none with padding.
struct bytes3 {
  std::uint8_t b[3];
};
struct halves6 {
  std::uint16_t h[3];
};
struct words12 {
  std::uint32_t w[3];
};
struct mixed24 {
  double d;
  std::uint64_t l;
  std::uint32_t w;
  std::uint16_t h[2];
};

}  // namespace test
