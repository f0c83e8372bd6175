// Sixteen bytes as two words of eight.
#pragma once

#include <cstdint>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Each word is loaded and stored whole, the two together are not one access; see words4.
struct alignas(16) word_pair {
  std::uint64_t w[2];
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
