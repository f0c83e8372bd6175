// What one poll of an exchange loads, and one publish stores.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/exchange.hpp>
#include <fermata/detail/word_pair.hpp>
#include <fermata/detail/words4.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

struct word8 {
  std::uint64_t w[1];
};

// Words of 4 bytes travel in fours, words of 8 bytes alone or in twos; each is tested.
template <std::size_t WordBytes, unsigned Words = WordBytes == 4 ? 4 : 1>
struct exchange_unit;

template <>
struct exchange_unit<4, 4> {
  using type = words4;
  using word = std::uint32_t;
  static constexpr unsigned words = 4;

  FERMATA_DEVICE static type load(type const* p) noexcept { return backend::load_words<thread_scope::device>(p); }
  FERMATA_DEVICE static void store(type* p, type const& u) noexcept {
    backend::store_words<thread_scope::device>(p, u);
  }
  FERMATA_DEVICE static void store_word(type* p, unsigned k, word w) noexcept {
    backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(&p->w[k], w);
  }
};

template <>
struct exchange_unit<8, 1> {
  using type = word8;
  using word = std::uint64_t;
  static constexpr unsigned words = 1;

  FERMATA_DEVICE static type load(type const* p) noexcept {
    return {{backend::atomic_load<thread_scope::device, std::memory_order_relaxed>(&p->w[0])}};
  }
  FERMATA_DEVICE static void store(type* p, type const& u) noexcept {
    backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(&p->w[0], u.w[0]);
  }
  FERMATA_DEVICE static void store_word(type* p, unsigned, word w) noexcept { store(p, {{w}}); }
};

template <>
struct exchange_unit<8, 2> {
  using type = word_pair;
  using word = std::uint64_t;
  static constexpr unsigned words = 2;

  FERMATA_DEVICE static type load(type const* p) noexcept { return backend::load_word_pair<thread_scope::device>(p); }
  FERMATA_DEVICE static void store(type* p, type const& u) noexcept {
    backend::store_word_pair<thread_scope::device>(p, u);
  }
  FERMATA_DEVICE static void store_word(type* p, unsigned k, word w) noexcept {
    backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(&p->w[k], w);
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
