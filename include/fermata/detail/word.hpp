// Which types an atomic may hold, and the unsigned word of the same size that the backends work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <fermata/backend/word.hpp>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// True where every bit of T takes part in its value, so that comparing bits compares values. Specialise it
// for a padding-free class that holds floats, which the language cannot see through.
template <class T>
struct is_padding_free
    : std::bool_constant<std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>> {};

namespace detail {

template <std::size_t Bytes>
struct word_of_size;
template <>
struct word_of_size<1> { using type = std::uint8_t; };
template <>
struct word_of_size<2> { using type = std::uint16_t; };
template <>
struct word_of_size<4> { using type = std::uint32_t; };
template <>
struct word_of_size<8> { using type = std::uint64_t; };
template <>
struct word_of_size<16> { __extension__ typedef unsigned __int128 type; };

template <class T>
using word_t = typename word_of_size<sizeof(T)>::type;

template <class T>
inline constexpr bool has_word_size = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||
                                       (sizeof(T) == 16 && backend::has_16_byte_atomics);

// bool is not an arithmetic type to an atomic; character types are. (Some compilers call __int128 integral.)
template <class T>
concept atomic_integer =
    std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool> && has_word_size<T> && sizeof(T) <= 8;

template <class T>
concept atomic_float = std::is_same_v<T, float> || std::is_same_v<T, double>;

// The vendors' 16-bit floats. <fermata/half.hpp> says true for them, and what there is to know of them: their
// type_class, the bits of their infinity, and how they are added. The vendors' headers cost compile time, so that this
// one knows nothing of them.
template <class T>
inline constexpr bool is_half = false;
template <class T>
struct half_operations;

// std::bit_cast is a host function to nvcc; the builtin behind it is not.
template <class To, class From>
FERMATA_FN constexpr To bit_cast(From const& v) noexcept { return __builtin_bit_cast(To, v); }

template <class T>
FERMATA_FN constexpr word_t<T> to_word(T v) noexcept { return bit_cast<word_t<T>>(v); }

template <class T>
FERMATA_FN constexpr T from_word(word_t<T> w) noexcept { return bit_cast<T>(w); }

// A float's -v: the same bits with another sign, also for a NaN.
template <class T>
FERMATA_FN constexpr T with_other_sign(T v) noexcept {
  return from_word<T>(static_cast<word_t<T>>(to_word(v) ^ (word_t<T>{1} << (sizeof(T) * 8 - 1))));
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
