// Sixteen bytes as four relaxed words.
#pragma once

#include <fermata/detail/config.hpp>
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

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
