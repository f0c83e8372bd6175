// Sixteen bytes as words, on AMD.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/detail/word_pair.hpp>
#include <fermata/detail/words4.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// Two relaxed 8-byte accesses: the compiler issues both before it waits for either. A wider access has no atomic form
// here, and a load and its wait in two asm statements are not safe, as the compiler may use the register in between.
// Pre: p is aligned to 16 bytes.
template <thread_scope S>
FERMATA_DEVICE detail::word_pair load_word_pair(void const* p) noexcept {
  auto const* const words = static_cast<std::uint64_t const*>(p);
  std::uint64_t const first = atomic_load<S, std::memory_order_relaxed>(words);
  return {{first, atomic_load<S, std::memory_order_relaxed>(words + 1)}};
}

template <thread_scope S>
FERMATA_DEVICE void store_word_pair(void* p, detail::word_pair const& v) noexcept {
  auto* const words = static_cast<std::uint64_t*>(p);
  atomic_store<S, std::memory_order_relaxed>(words, v.w[0]);
  atomic_store<S, std::memory_order_relaxed>(words + 1, v.w[1]);
}

// The same as words of four bytes.
template <thread_scope S>
FERMATA_DEVICE detail::words4 load_words(void const* p) noexcept {
  detail::word_pair const pair = load_word_pair<S>(p);
  return {{static_cast<std::uint32_t>(pair.w[0]), static_cast<std::uint32_t>(pair.w[0] >> 32),
           static_cast<std::uint32_t>(pair.w[1]), static_cast<std::uint32_t>(pair.w[1] >> 32)}};
}

template <thread_scope S>
FERMATA_DEVICE void store_words(void* p, detail::words4 const& words) noexcept {
  store_word_pair<S>(p, {{std::uint64_t{words.w[1]} << 32 | words.w[0], std::uint64_t{words.w[3]} << 32 | words.w[2]}});
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
