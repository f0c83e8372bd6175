// Host: which words atomics move at once.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// By cmpxchg16b, in the compiled library.
#if defined(__x86_64__)
inline constexpr bool has_16_byte_atomics = true;
#else
inline constexpr bool has_16_byte_atomics = false;
#endif

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
