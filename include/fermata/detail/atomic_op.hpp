// The operations of an atomic, and which types and orders each of them takes. The static_asserts of
// <fermata/atomic.hpp>, is_native and the cell test all ask here, so that they cannot disagree.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include <fermata/detail/config.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// An operation of atomic_ref and atomic. `wait` is a loop of loads everywhere.
enum class atomic_op {
  load,
  store,
  exchange,
  compare_exchange,
  fetch_add,
  fetch_sub,
  fetch_and,
  fetch_or,
  fetch_xor,
  fetch_min,
  fetch_max,
  fetch_inc_wrap,
  fetch_dec_wrap,
  wait
};

namespace detail {

// What a backend distinguishes. `bits` is everything that is only moved and compared: bool, enums, structs.
enum class type_class { signed_integer, unsigned_integer, floating_point, half, bfloat16, pointer, bits };

template <class T>
FERMATA_FN constexpr type_class class_of() {
  if (atomic_integer<T>) return std::is_signed_v<T> ? type_class::signed_integer : type_class::unsigned_integer;
  if (atomic_float<T>) return type_class::floating_point;
  if constexpr (is_half<T>) return half_operations<T>::type;
  if (std::is_pointer_v<T>) return type_class::pointer;
  return type_class::bits;
}

// How a target does an operation: by an instruction that always ends (native), by a loop around a compare-exchange
// (emulated), or not at all; and the same in words, for the documentation.
enum class support { native, emulated, refused };
struct way {
  support kind;
  char const* words;
};

// True if an atomic can hold a T at all.
template <class T>
inline constexpr bool lock_free = std::is_trivially_copyable_v<T> && has_word_size<T> &&
                                  (is_padding_free<T>::value || std::is_same_v<T, bool>) && alignof(T) == sizeof(T);

template <class T>
inline constexpr bool pointer_to_object = std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>;

FERMATA_FN constexpr bool is_half_class(type_class type) {
  return type == type_class::half || type == type_class::bfloat16;
}

// True if the operation exists for the class of type.
FERMATA_FN constexpr bool takes(atomic_op op, type_class type, unsigned bytes) {
  bool const integer = type == type_class::signed_integer || type == type_class::unsigned_integer;
  bool const number = integer || type == type_class::floating_point || is_half_class(type);
  switch (op) {
    case atomic_op::fetch_add:
    case atomic_op::fetch_sub:
      return number || type == type_class::pointer;
    case atomic_op::fetch_min:
    case atomic_op::fetch_max:
      return number;
    case atomic_op::fetch_and:
    case atomic_op::fetch_or:
    case atomic_op::fetch_xor:
      return integer;
    case atomic_op::fetch_inc_wrap:
    case atomic_op::fetch_dec_wrap:
      return type == type_class::unsigned_integer && bytes == 4;
    default:
      return true;
  }
}

// True if the operation exists for T, which is lock_free: the same, but for two that are told apart by name alone.
template <class T>
FERMATA_FN constexpr bool takes_type(atomic_op op) {
  if (op == atomic_op::fetch_inc_wrap || op == atomic_op::fetch_dec_wrap) return std::is_same_v<T, unsigned>;
  if ((op == atomic_op::fetch_add || op == atomic_op::fetch_sub) && std::is_pointer_v<T>) return pointer_to_object<T>;
  return takes(op, class_of<T>(), sizeof(T));
}

// True if the operation takes the order. That of a failed compare-exchange is a load's.
FERMATA_FN constexpr bool takes_order(atomic_op op, std::memory_order order) {
  if (op == atomic_op::load || op == atomic_op::wait) return valid_for_load(order);
  return op != atomic_op::store || valid_for_store(order);
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
