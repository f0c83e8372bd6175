// Atomic operations on one or two bytes, through the aligned 32-bit word that holds them. A backend opts into one by
// name: its <fermata/backend/atomic.hpp> includes this file after it has declared the 32-bit operations.
// The neighbours are rewritten with the value they have, in the same atomic step: a store to one of them is never lost.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fermata/detail/device_code.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// Where an object of one or two bytes lies in its word (the targets are little-endian).
template <class T>
struct subword {
  static_assert(sizeof(T) < 4);
  using bits_type = std::make_unsigned_t<T>;

  std::uint32_t* word;
  unsigned shift;

  // Plain pointer arithmetic, so that the compiler still sees which address space the word is in.
  FERMATA_DEVICE explicit subword(T* p) noexcept {
    unsigned const byte = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) & 3u);
    word = reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(p) - byte);
    shift = byte * 8;
  }

  // The value in place, zeros around it.
  FERMATA_DEVICE std::uint32_t placed(T value) const noexcept {
    return std::uint32_t{static_cast<bits_type>(value)} << shift;
  }
  FERMATA_DEVICE std::uint32_t mask() const noexcept {
    return std::uint32_t{static_cast<bits_type>(~bits_type{0})} << shift;
  }
  FERMATA_DEVICE T extract(std::uint32_t w) const noexcept {
    return static_cast<T>(static_cast<bits_type>(w >> shift));
  }
};

// Replaces *p by f(*p) and returns the old value, relaxed. f may run several times.
template <thread_scope S, class T, class F>
FERMATA_DEVICE T subword_fetch_update(T* p, F f) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  subword<T> const at(p);
  std::uint32_t seen = backend::atomic_load<S, relaxed>(at.word);
  while (!backend::atomic_compare_exchange<S, relaxed, relaxed>(
      at.word, seen, (seen & ~at.mask()) | at.placed(static_cast<T>(f(at.extract(seen)))))) {
  }
  return at.extract(seen);
}

// The strong compare-exchange, relaxed: only a different value of the object itself fails it, never its neighbours.
template <thread_scope S, class T>
FERMATA_DEVICE bool subword_compare_exchange(T* p, T& expected, T desired) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  subword<T> const at(p);
  std::uint32_t seen = backend::atomic_load<S, relaxed>(at.word);
  for (;;) {
    if (at.extract(seen) != expected) {
      expected = at.extract(seen);
      return false;
    }
    if (backend::atomic_compare_exchange<S, relaxed, relaxed>(at.word, seen, (seen & ~at.mask()) | at.placed(desired)))
      return true;
  }
}

// The bitwise operations need no loop: the neighbours take part with the operand that leaves them as they are.
template <thread_scope S, class T>
FERMATA_DEVICE T subword_fetch_and(T* p, T value) noexcept {
  subword<T> const at(p);
  return at.extract(backend::atomic_fetch_and<S, std::memory_order_relaxed>(at.word, at.placed(value) | ~at.mask()));
}
template <thread_scope S, class T>
FERMATA_DEVICE T subword_fetch_or(T* p, T value) noexcept {
  subword<T> const at(p);
  return at.extract(backend::atomic_fetch_or<S, std::memory_order_relaxed>(at.word, at.placed(value)));
}
template <thread_scope S, class T>
FERMATA_DEVICE T subword_fetch_xor(T* p, T value) noexcept {
  subword<T> const at(p);
  return at.extract(backend::atomic_fetch_xor<S, std::memory_order_relaxed>(at.word, at.placed(value)));
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
