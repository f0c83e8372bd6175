// AddressSanitizer must be told of every change of stacks, and of memory whose owner has gone without a word.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define FERMATA_HOST_ASAN() 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FERMATA_HOST_ASAN() 1
#endif
#endif
#if !defined(FERMATA_HOST_ASAN)
#define FERMATA_HOST_ASAN() 0
#endif

#if FERMATA_HOST_ASAN()
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::sanitizer {

#if FERMATA_HOST_ASAN()
inline constexpr bool enabled = true;
// `save` is null when the stack that is left will not be entered again.
inline void before_switch(void** save, void const* bottom, std::size_t bytes) noexcept {
  __sanitizer_start_switch_fiber(save, bottom, bytes);
}
inline void after_switch(void* saved, void const** old_bottom, std::size_t* old_bytes) noexcept {
  __sanitizer_finish_switch_fiber(saved, old_bottom, old_bytes);
}
inline void allow(void const* p, std::size_t bytes) noexcept { __asan_unpoison_memory_region(p, bytes); }
inline void forbid(void const* p, std::size_t bytes) noexcept { __asan_poison_memory_region(p, bytes); }
#else
inline constexpr bool enabled = false;
inline void before_switch(void**, void const*, std::size_t) noexcept {}
inline void after_switch(void*, void const**, std::size_t*) noexcept {}
inline void allow(void const*, std::size_t) noexcept {}
inline void forbid(void const*, std::size_t) noexcept {}
#endif

}  // namespace backend::host::sanitizer
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
