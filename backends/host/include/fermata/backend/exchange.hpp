// Sixteen bytes as relaxed words.
#pragma once

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/word_pair.hpp>
#include <fermata/detail/words4.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

detail::words4 load_words(void const* p, thread_scope scope) noexcept;
void store_words(void* p, detail::words4 const& value, thread_scope scope) noexcept;

}  // namespace host

template <thread_scope S>
detail::words4 load_words(void const* p) noexcept {
  return host::load_words(p, S);
}

template <thread_scope S>
void store_words(void* p, detail::words4 value) noexcept {
  host::store_words(p, value, S);
}

template <thread_scope S>
detail::word_pair load_word_pair(void const* p) noexcept {
  auto const* const words = static_cast<std::uint64_t const*>(p);
  std::uint64_t const first = atomic_load<S, std::memory_order_relaxed>(words);
  return {{first, atomic_load<S, std::memory_order_relaxed>(words + 1)}};
}

template <thread_scope S>
void store_word_pair(void* p, detail::word_pair const& v) noexcept {
  auto* const words = static_cast<std::uint64_t*>(p);
  atomic_store<S, std::memory_order_relaxed>(words, v.w[0]);
  atomic_store<S, std::memory_order_relaxed>(words + 1, v.w[1]);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
