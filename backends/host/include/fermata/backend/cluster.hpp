// The blocks of a cluster: a rendezvous between blocks, wherever they run. Blocks start in order, so that those of a
// cluster are all resident sooner or later; a launch whose clusters do not fit is refused.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

unsigned cluster_rank() noexcept;
unsigned cluster_size() noexcept;
void cluster_sync() noexcept;

// The wait does all the work; the arrival is kept to see that each has its wait.
void cluster_arrive() noexcept;
void cluster_wait() noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
