// Synchronisation by the datum itself: a slot that holds either an impossible value or the data.
//
// Idea: TensorRT-LLM and FlashInfer ("Lamport" all-reduce) and Kog, "Building a single-kernel, latency-optimized
// LLM inference engine on AMD MI300X GPUs" (2026), which waits on NaN. fermata waits on one bit pattern instead,
// so that a legitimate NaN passes through and nothing can hang.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/sentinel_note.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Two 16-bit floats in one word of 4 bytes, which travels whole. H is half or bfloat16 of <fermata/half.hpp>.
template <class H>
struct alignas(4) half_pair {
  H first, second;
};

// What a sentinel needs to know of T: the empty pattern, and how to move a value off it. fermata knows float, double,
// half_pair<half> and half_pair<bfloat16>. There is no default for integers: every integer is a legitimate value.
// Specialise it for a type of 4 or 8 bytes that has a value to spare:
//
//   template <> struct fermata::sentinel_traits<my_index> {
//     static constexpr std::uint32_t empty = 0xFFFFFFFF;                       // bits no value may have …
//     FERMATA_FN static std::uint32_t canonicalise(std::uint32_t bits) { … }   // … and what to send in their stead
//   };
template <class T>
struct sentinel_traits {};

namespace detail {

// A signalling NaN: no arithmetic instruction of either vendor produces one (they quieten), so only a copied
// bit pattern can collide; that one is sent as the neighbouring NaN payload.
template <auto Empty>
struct spare_nan {
  static constexpr auto empty = Empty;
  FERMATA_FN static constexpr decltype(Empty) canonicalise(decltype(Empty) bits) noexcept {
    return bits == empty ? bits ^ 1u : bits;
  }
};

}  // namespace detail

template <>
struct sentinel_traits<float> : detail::spare_nan<std::uint32_t{0x7FA5A5A5}> {};
template <>
struct sentinel_traits<double> : detail::spare_nan<std::uint64_t{0x7FF5A5A5A5A5A5A5}> {};
// The pattern in both halves: a pair in which one half alone is that NaN is sent as it is.
template <class H>
  requires detail::is_half<H>
struct sentinel_traits<half_pair<H>>
    : detail::spare_nan<std::uint32_t{detail::half_operations<H>::infinity == 0x7C00 ? 0x7D557D55 : 0x7FA57FA5}> {};

namespace detail {

template <class T>
concept has_sentinel = requires { sentinel_traits<T>::empty; };

}  // namespace detail

// A slot that is empty or holds a value, one word in memory.
//
// Order   publish() orders nothing but its own word, and await() likewise: data that lies elsewhere needs a
//         release and an acquire (use atomic_ref). No fence is on the path; that is the point.
// Pre     the slot is armed (reset) before the first publish, and the reset happens before both the publish and
//         the await that it is meant for. A zeroed buffer is *not* armed: upload default-made slots, which are empty.
//         One publish per arming. The publisher is not a lane of the waiter's wave.
// Works   under -ffast-math, --use_fast_math and flush-to-zero: the pattern is compared as bits in integer
//         registers and never seen by a floating-point instruction.
// Emits   CUDA: st.relaxed.<scope>.b32, ld.relaxed.<scope>.b32. HIP: global_store/load_dword with the cache bits of
//         the scope.
// Cost    one one-way trip: 0.28 µs between two SMs of an H200 (docs/results/2026-11-30-h200, chain/sentinel).
template <class T, thread_scope Scope = thread_scope::device>
class sentinel {
  using traits = sentinel_traits<T>;
  using word = detail::word_t<T>;
  static_assert(detail::has_sentinel<T>,
                "fermata::sentinel<T>: T has no value to spare for an empty slot. Use flagged<T> (any data of "
                "up to 4 bytes, no reset), or specialise fermata::sentinel_traits<T>.");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "fermata::sentinel<T>: T must have 4 or 8 bytes, one native word.");

 public:
  using value_type = T;

  // A slot built on the host or copied to the device is empty.
  FERMATA_FN constexpr sentinel() noexcept : bits_(traits::empty) {}

  // Fills the slot. A value whose bits equal the empty pattern is replaced by traits::canonicalise.
  FERMATA_DEVICE void publish(T value) noexcept {
    word const bits = traits::canonicalise(detail::to_word(value));
    backend::note_publish(&bits_, bits, word{traits::empty});
    backend::atomic_store<Scope, std::memory_order_relaxed>(&bits_, bits);
  }

  // Waits until the slot is filled and returns the value.
  FERMATA_DEVICE T await() const noexcept {
    return detail::from_word<T>(backend::atomic_await<Scope, std::memory_order_relaxed>(
        &bits_, [](word seen) { return seen != traits::empty; }));
  }

  // Whether the slot is filled now.
  FERMATA_DEVICE bool ready() const noexcept {
    return backend::atomic_load<Scope, std::memory_order_relaxed>(&bits_) != traits::empty;
  }

  // Empties the slot. The caller orders it: after the last await of the old value, before the next publish.
  FERMATA_DEVICE void reset() noexcept {
    backend::note_rearm(&bits_);
    backend::atomic_store<Scope, std::memory_order_relaxed>(&bits_, word{traits::empty});
  }

 private:
  word bits_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
