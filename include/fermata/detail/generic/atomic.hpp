// Atomic operations that a target lacks, built from its compare-exchange. A backend opts into one by calling
// it from its own <fermata/backend/atomic.hpp>; nothing here is chosen silently.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// The fmin/fmax rule with signed zeros told apart: a NaN operand is ignored, -0 < +0. It looks at bits, so it
// means the same under -ffast-math, where the compiler may assume that there are no NaNs.
template <class T>
FERMATA_DEVICE constexpr word_t<T> infinity_bits() noexcept {
  if constexpr (is_half<T>) return half_operations<T>::infinity;
  else if constexpr (sizeof(T) == 4) return 0x7F800000u;
  else return 0x7FF0000000000000ull;
}

template <class T>
FERMATA_DEVICE constexpr bool is_nan_bits(T v) noexcept {
  return static_cast<word_t<T>>(to_word(v) << 1) > static_cast<word_t<T>>(infinity_bits<T>() << 1);
}

// Maps the bits of a float to a signed integer of the same order: -inf < … < -0 < +0 < … < +inf.
template <class T>
FERMATA_DEVICE constexpr auto ordered_bits(T v) noexcept {
  using signed_word = std::make_signed_t<word_t<T>>;
  constexpr signed_word all_but_sign = static_cast<signed_word>(static_cast<word_t<T>>(~word_t<T>{0}) >> 1);
  signed_word const bits = static_cast<signed_word>(to_word(v));
  return static_cast<signed_word>(bits < 0 ? bits ^ all_but_sign : bits);
}

template <class T>
FERMATA_DEVICE constexpr T float_min(T old, T value) noexcept {
  if (is_nan_bits(value)) return old;
  if (is_nan_bits(old)) return value;
  return ordered_bits(value) < ordered_bits(old) ? value : old;
}

template <class T>
FERMATA_DEVICE constexpr T float_max(T old, T value) noexcept {
  if (is_nan_bits(value)) return old;
  if (is_nan_bits(old)) return value;
  return ordered_bits(value) > ordered_bits(old) ? value : old;
}

// Replaces *p by f(*p) and returns the old value. f may run several times. The loop compares bits. The order
// is paid for once, by fences outside the loop, and not once for every failed attempt.
template <thread_scope S, std::memory_order O, class T, class F>
FERMATA_DEVICE T fetch_update(T* p, F f) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  auto* const word = reinterpret_cast<word_t<T>*>(p);
  if constexpr (O == std::memory_order_seq_cst)
    backend::atomic_thread_fence<S, O>();
  else if constexpr (releases(O))
    backend::atomic_thread_fence<S, std::memory_order_release>();
  word_t<T> seen = backend::atomic_load<S, relaxed>(word);
  while (!backend::atomic_compare_exchange<S, relaxed, relaxed>(word, seen,
                                                                to_word(static_cast<T>(f(from_word<T>(seen)))))) {
  }
  if constexpr (acquires(O)) backend::atomic_thread_fence<S, std::memory_order_acquire>();
  return from_word<T>(seen);
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
