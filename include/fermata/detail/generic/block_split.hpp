// The split block barrier where the hardware has none without storage: waiting does all the work.
#pragma once

#include <fermata/detail/device_code.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline void block_arrive() noexcept {}
FERMATA_DEVICE inline void block_wait() noexcept { block_sync(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
