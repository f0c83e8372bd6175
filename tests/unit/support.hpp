// What the unit tests share: the device they run on, launching and waiting, comparing bits.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fermata/fermata.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fm = fermata;

namespace test {

// One device and one stream for the whole run; made and destroyed by main.
struct context {
  fm::device gpu;
  fm::stream queue;
  context() : gpu(), queue(gpu) {}
};
context& current();

inline fm::device const& gpu() { return current().gpu; }
inline fm::stream const& queue() { return current().queue; }
inline unsigned wave_size() { return gpu().wave_size(); }

template <class T>
fm::buffer<T> filled(std::size_t count, unsigned char byte = 0) {
  fm::buffer<T> result(gpu(), count);
  result.fill_bytes(queue(), byte);
  return result;
}

template <class T>
fm::buffer<T> uploaded(std::vector<T> const& values) {
  return fm::buffer<T>(queue(), std::span<T const>(values));
}

template <class T>
std::vector<T> downloaded(fm::buffer<T> const& from) {
  return from.download(queue());
}

// Launches and waits for the end.
template <class... P, class... A>
void run(fm::launch_config const& config, void (*kernel)(P...), A&&... args) {
  fm::launch(queue(), config, kernel, std::forward<A>(args)...);
  queue().synchronize();
}

// The same for kernels whose blocks wait for each other.
template <class... P, class... A>
void run_cooperative(fm::launch_config const& config, void (*kernel)(P...), A&&... args) {
  fm::launch_cooperative(queue(), config, kernel, std::forward<A>(args)...);
  queue().synchronize();
}

// A well mixed number for each seed, the same on both sides.
FERMATA_FN constexpr std::uint32_t mix(std::uint32_t x) noexcept {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  x ^= x >> 16;
  return x;
}

template <class To, class From>
FERMATA_FN To same_bits(From const& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

template <class T>
FERMATA_FN bool equal_bits(T const& a, T const& b) noexcept {
  unsigned char x[sizeof(T)], y[sizeof(T)];
  __builtin_memcpy(x, &a, sizeof(T));
  __builtin_memcpy(y, &b, sizeof(T));
  bool equal = true;
  for (unsigned i = 0; i < sizeof(T); ++i) equal &= x[i] == y[i];
  return equal;
}

// A T whose every byte depends on the seed.
template <class T>
FERMATA_FN T value_of(std::uint32_t seed) noexcept {
  unsigned char bytes[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(mix(seed * 37u + i) >> 7);
  return same_bits<T>(bytes);
}

template <class T>
std::string hex(T const& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::string text = "0x";
  for (std::size_t i = sizeof(T); i-- > 0;) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

// Empty if both hold the same bits; otherwise how many elements differ, and the first of them.
template <class T>
std::string difference(std::vector<T> const& got, std::vector<T> const& want) {
  if (got.size() != want.size())
    return "got " + std::to_string(got.size()) + " elements, expected " + std::to_string(want.size());
  std::size_t count = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
    ++count;
    first = i;
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(got.size()) + " differ, the first at [" +
         std::to_string(first) + "]: got " + hex(got[first]) + ", expected " + hex(want[first]);
}

template <class T>
std::string difference(fm::buffer<T> const& got, std::vector<T> const& want) {
  return difference(downloaded(got), want);
}

// The code and the message of the error that f throws; fails the test case if it throws none.
struct caught {
  fm::errc code;
  std::string message;
  bool mentions(std::string const& text) const { return message.find(text) != std::string::npos; }
};

template <class F>
caught error_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (fm::error const& e) {
    return {e.code(), e.what()};
  }
  FAIL("no fermata::error was thrown");
  return {};
}

}  // namespace test
