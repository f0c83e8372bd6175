// AMD: which words atomics move at once.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

inline constexpr bool has_16_byte_atomics = false;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
