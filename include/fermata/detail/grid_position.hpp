// Where the calling block is in its grid.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/block.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

FERMATA_DEVICE inline unsigned num_blocks() noexcept { return backend::grid_dim().count(); }

FERMATA_DEVICE inline unsigned block_rank() noexcept {
  dim3 const n = backend::grid_dim(), i = backend::block_index();
  return (i.z * n.y + i.y) * n.x + i.x;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
