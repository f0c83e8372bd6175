// The protocols of an exchange: how a value and its step share a word. Public names; <fermata/exchange.hpp> has the
// rest.
//
// exchange_codec<T, Protocol> is what the view of an exchange works with, a word at a time:
//   unit, word, values_per_unit, buffers, rearms (and fence_every where it does); initial, the word that fills the
//   memory before the first step; encode(value, step) and decode(word); filled(unit, step): whether all words of the
//   unit hold values of that step.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/detail/exchange/unit.hpp>
#include <fermata/detail/unroll.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/flagged.hpp>
#include <fermata/sentinel.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// How the chunks of the blocks lie in memory. Every chunk starts on a multiple of ChunkAlignment bytes (0: they lie
// close together), so that one line holds words of one block alone. Each word is written Replicas times, and a block
// reads one of the copies, so that fewer blocks poll the same line.
template <unsigned ChunkAlignment = 0, unsigned Replicas = 1>
struct exchange_layout {
  static_assert(ChunkAlignment % 16 == 0 && (ChunkAlignment & (ChunkAlignment - 1)) == 0,
                "fermata::exchange_layout: the alignment is 0, or a power of two of at least 16 bytes");
  static_assert(Replicas >= 1, "fermata::exchange_layout: there is at least one copy");
  static constexpr unsigned chunk_alignment = ChunkAlignment;
  static constexpr unsigned replicas = Replicas;
};

// Values are their own flag, as in sentinel<T>; for types with sentinel_traits. All bits of a value arrive.
//
// Buffers, a power of two, and FenceEvery: a buffer is emptied again by its owner two steps after it was filled, and
// filled again `Buffers` steps after. Every thread executes one device-scope fence in each `FenceEvery`-th step. A
// fence waits for the thread's own stores and so delays the polls behind it; a larger ring lets more steps do without,
// and needs more memory. The last assertion is what the argument in detail/exchange/view.hpp needs.
template <unsigned Buffers = 32, unsigned FenceEvery = 15, class Layout = exchange_layout<>>
struct basic_sentinel_protocol {
  static_assert((Buffers & (Buffers - 1)) == 0,
                "fermata::basic_sentinel_protocol: Buffers is a power of two, so that no division is needed");
  static_assert(FenceEvery >= 1 && Buffers >= FenceEvery + 1 + (FenceEvery > 2 ? FenceEvery : 2),
                "fermata::basic_sentinel_protocol: a buffer would be polled again before its emptying is ordered. "
                "Take at least 2 * FenceEvery + 1 buffers (4 if FenceEvery is 1).");
  using layout = Layout;
};
using sentinel_protocol = basic_sentinel_protocol<>;
using long_sentinel_protocol = basic_sentinel_protocol<128, 63>;

// Value and step in one 8-byte word, as in flagged<T>: any value of up to 4 bytes, no fence, twice the bytes. A poll
// loads WordsPerPoll of them, 1 or 2.
template <unsigned WordsPerPoll = 1, class Layout = exchange_layout<>>
struct basic_flagged_protocol {
  static_assert(WordsPerPoll == 1 || WordsPerPoll == 2,
                "fermata::basic_flagged_protocol: a poll loads 8 or 16 bytes, one word or two");
  using layout = Layout;
};
using flagged_protocol = basic_flagged_protocol<>;

// One bit of each value says which use of its buffer the value belongs to; for types with sense_bit_traits. No fence,
// no emptying, no more bytes than the values. **The bit is lost**: it is 0 in every value that arrives. A float keeps
// 23 of its 24 bits of precision, rounded towards zero.
template <unsigned Buffers = 2, class Layout = exchange_layout<>>
struct basic_sense_bit_protocol {
  static_assert(Buffers >= 2 && (Buffers & (Buffers - 1)) == 0,
                "fermata::basic_sense_bit_protocol: Buffers is a power of two, 2 at least: a block that is late still "
                "reads the values of the step before");
  using layout = Layout;
};
using sense_bit_protocol = basic_sense_bit_protocol<>;

// What a sense bit needs to know of T, of 4 or 8 bytes: which bit it may have, and how a value that would change its
// meaning without that bit is sent. fermata knows float, double, half_pair<half> and half_pair<bfloat16>.
//
//   template <> struct fermata::sense_bit_traits<my_index> {
//     static constexpr std::uint32_t bit = 0x80000000;                                        // no index needs it
//     FERMATA_FN static std::uint32_t canonicalise(std::uint32_t bits) { return bits; }
//   };
template <class T>
struct sense_bit_traits {};

// The lowest bit of the mantissa. The NaN whose payload is that bit alone would become infinite: it gets another.
template <>
struct sense_bit_traits<float> {
  static constexpr std::uint32_t bit = 1;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return (bits & 0x7FFFFFFFu) == 0x7F800001u ? bits + 1 : bits;
  }
};
template <>
struct sense_bit_traits<double> {
  static constexpr std::uint64_t bit = 1;
  FERMATA_FN static constexpr std::uint64_t canonicalise(std::uint64_t bits) noexcept {
    return (bits & 0x7FFFFFFFFFFFFFFFull) == 0x7FF0000000000001ull ? bits + 1 : bits;
  }
};
// Of the first half; the second one arrives whole.
template <class H>
  requires detail::is_half<H>
struct sense_bit_traits<half_pair<H>> {
  static constexpr std::uint32_t bit = 1;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return (bits & 0x7FFFu) == (detail::half_operations<H>::infinity | 1u) ? bits + 1 : bits;
  }
};

namespace detail {

template <class T>
concept has_sense_bit = requires { sense_bit_traits<T>::bit; };

template <class T, class Protocol>
struct exchange_codec {
  static_assert(sizeof(Protocol) == 0,
                "fermata::exchange<T, Protocol>: no such protocol. Use sentinel_protocol, flagged_protocol, "
                "sense_bit_protocol, or one of their basic_ forms with other buffers or another layout.");
};

template <class T, unsigned Buffers, unsigned FenceEvery, class Layout>
struct exchange_codec<T, basic_sentinel_protocol<Buffers, FenceEvery, Layout>> : exchange_unit<sizeof(T)> {
  static_assert(has_sentinel<T>,
                "fermata::exchange<T, sentinel_protocol>: T has no value to spare. Use flagged_protocol (any data of "
                "up to 4 bytes), or specialise fermata::sentinel_traits<T>.");
  using unit = typename exchange_unit<sizeof(T)>::type;
  using word = typename exchange_unit<sizeof(T)>::word;
  static constexpr unsigned values_per_unit = exchange_unit<sizeof(T)>::words;
  static constexpr unsigned buffers = Buffers;
  static constexpr unsigned fence_every = FenceEvery;
  static constexpr bool rearms = true;
  static constexpr word initial = sentinel_traits<T>::empty;

  FERMATA_DEVICE static word encode(T value, std::uint32_t) noexcept {
    return sentinel_traits<T>::canonicalise(to_word(value));
  }
  FERMATA_DEVICE static T decode(word w) noexcept { return from_word<T>(w); }
  FERMATA_DEVICE static bool filled(unit const& u, std::uint32_t) noexcept {
    bool all = true;
    unroll<values_per_unit>([&](unsigned k) { all = all & (u.w[k] != initial); });
    return all;
  }
};

template <class T, unsigned WordsPerPoll, class Layout>
struct exchange_codec<T, basic_flagged_protocol<WordsPerPoll, Layout>> : exchange_unit<8, WordsPerPoll> {
  using unit = typename exchange_unit<8, WordsPerPoll>::type;
  using word = std::uint64_t;
  static constexpr unsigned values_per_unit = WordsPerPoll;
  static constexpr unsigned buffers = 2;
  static constexpr bool rearms = false;
  static constexpr word initial = 0;

  // Zeroed memory carries epoch 0, so steps are sent as 1, 2, …
  FERMATA_DEVICE static word encode(T value, std::uint32_t step) noexcept { return flagged<T>::pack(value, step + 1); }
  FERMATA_DEVICE static T decode(word w) noexcept { return flagged<T>::value_of(w); }
  FERMATA_DEVICE static bool filled(unit const& u, std::uint32_t step) noexcept {
    bool all = true;
    unroll<WordsPerPoll>([&](unsigned k) { all = all & (flagged<T>::epoch_of(u.w[k]) == step + 1); });
    return all;
  }
};

template <class T, unsigned Buffers, class Layout>
struct exchange_codec<T, basic_sense_bit_protocol<Buffers, Layout>> : exchange_unit<sizeof(T)> {
  static_assert(has_sense_bit<T>,
                "fermata::exchange<T, sense_bit_protocol>: T has no bit to spare. Use flagged_protocol (any data of "
                "up to 4 bytes), or specialise fermata::sense_bit_traits<T>.");
  using unit = typename exchange_unit<sizeof(T)>::type;
  using word = typename exchange_unit<sizeof(T)>::word;
  static constexpr unsigned values_per_unit = exchange_unit<sizeof(T)>::words;
  static constexpr unsigned buffers = Buffers;
  static constexpr bool rearms = false;
  static constexpr word bit = sense_bit_traits<T>::bit;
  // The first use of every buffer sends 0.
  static constexpr word initial = bit;

  // The bit of a step: it changes from each use of a buffer to the next.
  FERMATA_DEVICE static word sense(std::uint32_t step) noexcept { return (step & Buffers) != 0 ? bit : word{0}; }
  FERMATA_DEVICE static word encode(T value, std::uint32_t step) noexcept {
    return (sense_bit_traits<T>::canonicalise(to_word(value)) & ~bit) | sense(step);
  }
  FERMATA_DEVICE static T decode(word w) noexcept { return from_word<T>(w & ~bit); }
  FERMATA_DEVICE static bool filled(unit const& u, std::uint32_t step) noexcept {
    word different = 0;
    unroll<values_per_unit>([&](unsigned k) { different |= u.w[k] ^ sense(step); });
    return (different & bit) == 0;
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
