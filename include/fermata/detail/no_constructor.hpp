// What a shared variable or a device global may be.
#pragma once

#include <type_traits>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Coming into being and going away run no code. (Copying is not asked for: an atomic cannot be copied.)
template <class T>
inline constexpr bool needs_no_constructor =
    std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>;

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
