// Whether this is the runtime of fermata::check, which watches every access, or that of fermata::host, which does not.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

#if defined(FERMATA_CHECK)
inline constexpr bool checking = true;
#else
inline constexpr bool checking = false;
#endif

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
