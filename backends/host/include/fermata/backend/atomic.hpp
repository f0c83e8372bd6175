// Atomic operations on the host: calls into the executor, which does the real operation on the host's memory and
// may then switch to another lane. The scope says who may come between: a read-modify-write takes the CPU's lock unless
// all threads of its scope are lanes that one worker runs in turn, as those of a block are, and those of the device
// where there is one worker. It says, too, who can still change a word that somebody waits for.
//
// Outside a kernel, on a plain host thread, the same calls do just the operation: that is how a system-scope flag
// is shared between host and kernel.
#pragma once

#include <atomic>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>
#include <type_traits>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

enum class rmw : unsigned char {
  exchange,
  add,
  bit_and,
  bit_or,
  bit_xor,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  add_float,
  inc_wrap,
  dec_wrap
};

// Compiled into the runtime for the four word types; add_float for 4 and 8 bytes, the wrapping ones for 4.
template <class W>
W load(W const* p, thread_scope scope, std::memory_order order) noexcept;
template <class W>
void store(W* p, W value, thread_scope scope, std::memory_order order) noexcept;
template <rmw Operation, class W>
W read_modify_write(W* p, W operand, thread_scope scope, std::memory_order order) noexcept;
template <class W>
bool compare_exchange(W* p, W& expected, W desired, thread_scope scope, std::memory_order success,
                      std::memory_order failure) noexcept;

// 16 bytes, on x86-64.
using word16 = detail::word_of_size<16>::type;
word16 load(word16 const* p, thread_scope scope, std::memory_order order) noexcept;
void store(word16* p, word16 value, thread_scope scope, std::memory_order order) noexcept;
word16 exchange(word16* p, word16 value, thread_scope scope, std::memory_order order) noexcept;
bool compare_exchange(word16* p, word16& expected, word16 desired, thread_scope scope, std::memory_order success,
                      std::memory_order failure) noexcept;

// The two halves of a wait: a load that is no yield point, and the wait for the word to be something other than `seen`.
template <class W>
W peek(W const* p, thread_scope scope, std::memory_order order) noexcept;
template <class W>
void wait_for_change(W const* p, W seen, thread_scope scope) noexcept;

template <rmw Operation, thread_scope S, std::memory_order O, class T>
T fetch(T* p, T operand) noexcept {
  using word = detail::word_t<T>;
  return detail::from_word<T>(
      read_modify_write<Operation, word>(reinterpret_cast<word*>(p), detail::to_word(operand), S, O));
}

}  // namespace host

template <thread_scope S, std::memory_order O, class W>
W atomic_load(W const* p) noexcept {
  return host::load(p, S, O);
}

template <thread_scope S, std::memory_order O, class W>
void atomic_store(W* p, std::type_identity_t<W> value) noexcept {
  host::store(p, value, S, O);
}

template <thread_scope S, std::memory_order O, class W>
W atomic_exchange(W* p, std::type_identity_t<W> value) noexcept {
  if constexpr (sizeof(W) == 16) return host::exchange(p, value, S, O);
  else return host::read_modify_write<host::rmw::exchange, W>(p, value, S, O);
}

template <thread_scope S, std::memory_order OnSuccess, std::memory_order OnFailure, class W>
bool atomic_compare_exchange(W* p, W& expected, std::type_identity_t<W> desired) noexcept {
  return host::compare_exchange(p, expected, desired, S, OnSuccess, OnFailure);
}

template <thread_scope S, std::memory_order O, class T>
T atomic_fetch_add(T* p, std::type_identity_t<T> value) noexcept {
  return host::fetch<std::is_floating_point_v<T> ? host::rmw::add_float : host::rmw::add, S, O, T>(p, value);
}

// A promise about the memory changes nothing here: the sum of floats is the same for every kind.
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add_coarse_grained(T* p, T value) noexcept {
  return atomic_fetch_add<S, O>(p, value);
}

template <thread_scope S, std::memory_order O, class W>
W atomic_fetch_and(W* p, std::type_identity_t<W> value) noexcept {
  return host::fetch<host::rmw::bit_and, S, O, W>(p, value);
}

template <thread_scope S, std::memory_order O, class W>
W atomic_fetch_or(W* p, std::type_identity_t<W> value) noexcept {
  return host::fetch<host::rmw::bit_or, S, O, W>(p, value);
}

template <thread_scope S, std::memory_order O, class W>
W atomic_fetch_xor(W* p, std::type_identity_t<W> value) noexcept {
  return host::fetch<host::rmw::bit_xor, S, O, W>(p, value);
}

template <thread_scope S, std::memory_order O, class T>
T atomic_fetch_min(T* p, std::type_identity_t<T> value) noexcept {
  return host::fetch<std::is_signed_v<T> ? host::rmw::min_signed : host::rmw::min_unsigned, S, O, T>(p, value);
}

template <thread_scope S, std::memory_order O, class T>
T atomic_fetch_max(T* p, std::type_identity_t<T> value) noexcept {
  return host::fetch<std::is_signed_v<T> ? host::rmw::max_signed : host::rmw::max_unsigned, S, O, T>(p, value);
}

template <thread_scope S, std::memory_order O>
unsigned atomic_fetch_inc_wrap(unsigned* p, unsigned limit) noexcept {
  return host::fetch<host::rmw::inc_wrap, S, O, unsigned>(p, limit);
}

template <thread_scope S, std::memory_order O>
unsigned atomic_fetch_dec_wrap(unsigned* p, unsigned limit) noexcept {
  return host::fetch<host::rmw::dec_wrap, S, O, unsigned>(p, limit);
}

template <thread_scope S, std::memory_order O, class W, class Predicate>
W atomic_await(W const* p, Predicate predicate) noexcept {
  if constexpr (sizeof(W) == 16) {
    W seen = host::load(p, S, O);
    while (!predicate(seen)) seen = host::load(p, S, O);
    return seen;
  } else {
    for (;;) {
      W const seen = host::peek(p, S, O);
      if (predicate(seen)) return seen;
      host::wait_for_change(p, seen, S);
    }
  }
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
