// Sixteen bytes as four words.
#pragma once

#include <cstdint>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Each word is loaded and stored whole; the four together are not one access on any backend (PTX ISA 9.1, section
// 8.2.4: a vector access is a set of scalar ones in unspecified order). So whoever polls must test every word.
struct alignas(16) words4 {
  std::uint32_t w[4];
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
