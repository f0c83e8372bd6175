// Values that are wider than the instruction that moves them.
#pragma once

#include <cstdint>

#include <fermata/detail/config.hpp>
#include <fermata/detail/unroll.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// Applies f, a shuffle of one 32-bit word, to each word of a trivially copyable value.
template <class T, class F>
FERMATA_DEVICE T for_each_word(T const& value, F f) noexcept {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[count]; };
  words all{};
  __builtin_memcpy(&all, &value, sizeof(T));
  unroll<count>([&](unsigned i) { all.w[i] = f(all.w[i]); });
  T result = value;
  __builtin_memcpy(&result, &all, sizeof(T));
  return result;
}

// Applies f to the words of two values of a type, each of the one and the same of the other.
template <class T, class F>
FERMATA_DEVICE T for_each_word_of_two(T const& a, T const& b, F f) noexcept {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[count]; };
  words x{}, y{};
  __builtin_memcpy(&x, &a, sizeof(T));
  __builtin_memcpy(&y, &b, sizeof(T));
  unroll<count>([&](unsigned i) { x.w[i] = f(x.w[i], y.w[i]); });
  T result = a;
  __builtin_memcpy(&result, &x, sizeof(T));
  return result;
}

// Shows f each 32-bit word of a trivially copyable value; bytes that are missing in the last one are zero.
template <class T, class F>
FERMATA_DEVICE void visit_words(T const& value, F f) noexcept {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[count]; };
  words all{};
  __builtin_memcpy(&all, &value, sizeof(T));
  unroll<count>([&](unsigned i) { f(all.w[i]); });
}

// The same in 64-bit words, and what is left over as a 32-bit word.
template <class T, class F>
FERMATA_DEVICE void visit_wide_words(T const& value, F f) noexcept {
  constexpr unsigned narrow = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[narrow]; };
  words all{};
  __builtin_memcpy(&all, &value, sizeof(T));
  unroll<narrow / 2>([&](unsigned i) { f(std::uint64_t{all.w[2 * i + 1]} << 32 | all.w[2 * i]); });
  if constexpr (narrow % 2 != 0) f(all.w[narrow - 1]);
}

// Whether two values have the same bits.
template <class T>
FERMATA_DEVICE bool same_words(T const& a, T const& b) noexcept {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[count]; };
  words x{}, y{};
  __builtin_memcpy(&x, &a, sizeof(T));
  __builtin_memcpy(&y, &b, sizeof(T));
  bool same = true;
  unroll<count>([&](unsigned i) { same &= x.w[i] == y.w[i]; });
  return same;
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
