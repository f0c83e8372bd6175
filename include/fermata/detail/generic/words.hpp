// Values that are wider than the instruction that moves them.
#pragma once

#include <cstdint>

#include <fermata/detail/config.hpp>
#include <fermata/detail/unroll.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// Applies f, a shuffle of one 32-bit word, to each word of a trivially copyable value.
template <class T, class F>
FERMATA_DEVICE T for_each_word(T const& value, F f) noexcept {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  struct words { std::uint32_t w[count]; };
  words all{};
  __builtin_memcpy(&all, &value, sizeof(T));
  unroll<count>([&](unsigned i) { all.w[i] = f(all.w[i]); });
  T result = value;
  __builtin_memcpy(&result, &all, sizeof(T));
  return result;
}

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
