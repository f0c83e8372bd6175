// The checker is the host backend's; on a GPU there is nobody to tell.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <class W>
FERMATA_DEVICE void note_publish(W const*, W, W) noexcept {}
template <class W>
FERMATA_DEVICE void note_rearm(W const*) noexcept {}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
