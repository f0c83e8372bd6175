// The grid.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/block.hpp>
#include <fermata/backend/grid.hpp>
#include <fermata/detail/grid_position.hpp>
#include <fermata/dim3.hpp>
#include <fermata/grid_barrier.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The calling grid as a group. Obtained from this_grid().
class grid_group {
 public:
  // The number of threads, and the caller's place among them: block by block, x fastest.
  FERMATA_DEVICE std::uint64_t size() const noexcept {
    return std::uint64_t{num_blocks()} * backend::block_dim().count();
  }
  FERMATA_DEVICE std::uint64_t thread_rank() const noexcept {
    return std::uint64_t{block_rank()} * backend::block_dim().count() + backend::block_thread_rank();
  }
  FERMATA_DEVICE unsigned num_blocks() const noexcept { return detail::num_blocks(); }
  FERMATA_DEVICE unsigned block_rank() const noexcept { return detail::block_rank(); }
  FERMATA_DEVICE dim3 dim() const noexcept { return backend::grid_dim(); }

  // The vendor's own grid barrier. Pre: launched by launch_cooperative; all threads of the grid call it.
  // grid_barrier<> does the same, faster where it was measured (H200).
  FERMATA_DEVICE void sync() const noexcept { backend::cooperative_grid_sync(); }
};

FERMATA_DEVICE inline grid_group this_grid() noexcept { return {}; }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
