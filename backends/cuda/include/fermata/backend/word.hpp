// CUDA: which words atomics move at once.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// .b128 came with sm_90. The host pass does not know the architecture, and must not refuse what one of them has.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool has_16_byte_atomics = false;
#else
inline constexpr bool has_16_byte_atomics = true;
#endif

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
