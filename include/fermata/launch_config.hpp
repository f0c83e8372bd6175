// The shape of a launch.
#pragma once

#include <cstddef>

#include <fermata/detail/config.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// {blocks, threads}, or with dimensions and dynamic shared memory spelt out.
struct launch_config {
  dim3 grid;                             // blocks
  dim3 block;                            // threads a block
  std::size_t dynamic_shared_bytes = 0;  // a block, beside its FERMATA_SHARED variables
  unsigned cluster = 1;                  // blocks a cluster, neighbours in x; see this_cluster()
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
