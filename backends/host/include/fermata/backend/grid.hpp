// The executor's own grid barrier.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// errc::barrier_misuse if the launch was not a cooperative one, or if a block that others wait for has returned.
void cooperative_grid_sync() noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
