// The barrier for all blocks of a grid.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <chrono>
#include <type_traits>
#include <utility>

#include <fermata/buffer.hpp>
#include <fermata/detail/grid_barrier/all_to_all.hpp>
#include <fermata/detail/grid_barrier/automatic.hpp>
#include <fermata/detail/grid_barrier/central_generation.hpp>
#include <fermata/detail/grid_barrier/combining.hpp>
#include <fermata/detail/grid_barrier/cooperative.hpp>
#include <fermata/detail/grid_barrier/deadline.hpp>
#include <fermata/detail/grid_barrier/gather_scatter.hpp>
#include <fermata/detail/grid_barrier/hierarchical.hpp>
#include <fermata/detail/grid_barrier/one_word.hpp>
#include <fermata/detail/grid_barrier/placement.hpp>
#include <fermata/detail/grid_barrier/striped.hpp>
#include <fermata/device.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The same type in every build, so that kernels that take a barrier have one name on the host and on every device; the
// backend's spin.hpp decides what it does for which grid, and says why.
using default_grid_algorithm = automatic;

template <class Algorithm, class Deadline>
class grid_barrier_storage;

// A barrier for all blocks of a grid: a stateless handle, copied into the kernel's arguments.
//
// Pre     launched by launch_cooperative (all blocks resident); every thread of every block makes the same calls;
//         one launch at a time per storage. Any grid size, a different one in each launch; never re-armed.
// Memory  everything that any thread of the grid did before sync() is visible to all threads after it.
// Wraps   safely: targets are taken from the arrival's own old value; numbers and generations are tested for equality.
// Split   arrive() and wait(token) in all but cooperative; the vendor's barrier has no such form.
// Errors  with_deadline: a wait longer than the storage allows ends the kernel, and synchronize() throws
//         errc::deadline_missed with the barrier, the time and the blocks that have not arrived. On a GPU the device is
//         lost with the kernel, as after any trap. no_deadline: none; a block that never arrives is waited for for ever
//         (the host backend reports errc::deadlock).
// Cost    µs, 256 threads a block, on an H200, at 1 / 16 / 66 / 132 / 264 / 528 / 1056 blocks, in one run
//         (docs/results/2026-11-30-h200-nearest):
//         automatic 0.53 / 0.75 / 0.78 / 0.80 / 0.83 / 0.98 / 1.30,
//         cooperative 0.74 / 0.99 / 0.97 / 0.98 / 0.98 / 1.23 / 2.21.
//         Split with 1 µs of work between: 0.77 on top of the work (132 blocks). A deadline has not been timed: it is
//         for finding mistakes.
template <class Algorithm = default_grid_algorithm, class Deadline = detail::default_grid_deadline<Algorithm>>
class grid_barrier : private detail::deadline_watch<Deadline> {
  using algorithm = detail::grid_algorithm<Algorithm>;
  using watch = detail::deadline_watch<Deadline>;

 public:
  // On memory of one's own: as many lines as the algorithm needs, zeroed once. grid_barrier_storage has them ready.
  FERMATA_FN explicit constexpr grid_barrier(grid_barrier_line* lines, watch w = {}) noexcept
      : watch(w), lines_(lines) {}

  FERMATA_DEVICE void sync() const noexcept {
    if constexpr (requires(grid_barrier_line* l, watch const& w) { algorithm::sync(l, w); })
      algorithm::sync(lines_, as_watch());
    else
      algorithm::wait(lines_, algorithm::arrive(lines_, as_watch()), as_watch());
    note_crossing();
  }

  // Tells the grid that the calling block has come here. Between arrive and wait the block may do work that
  // neither needs nor disturbs what the others publish. Each thread passes its own token on.
  FERMATA_DEVICE grid_barrier_token arrive() const noexcept {
    require_split();
    return algorithm::arrive(lines_, as_watch());
  }

  FERMATA_DEVICE void wait(grid_barrier_token token) const noexcept {
    require_split();
    algorithm::wait(lines_, token, as_watch());
    note_crossing();
  }

 private:
  FERMATA_DEVICE watch const& as_watch() const noexcept { return *this; }

  FERMATA_DEVICE void note_crossing() const noexcept {
    if constexpr (watch::timed)
      if (detail::block_rank() == 0 && detail::leads_block()) watch::crossed();
  }

  FERMATA_DEVICE static constexpr void require_split() noexcept {
    static_assert(algorithm::splits,
                  "fermata::grid_barrier<cooperative>: the vendor's barrier has no arrive and wait. Use sync(), or "
                  "grid_barrier<monotonic>.");
  }

  grid_barrier_line* lines_;
};

// The memory of a barrier: owned by the host, zeroed once, used by any number of launches, one at a time.
//
// Cost    where the place of a barrier's line matters, as on NVIDIA, 64 KiB to choose from, and a kernel of 0.08 ms
//         when the storage is made: 0.13 ms in all (H200, docs/results/2026-11-30-h200-nearest/placement.txt). A
//         barrier on memory of one's own has no place chosen.
template <class Algorithm = default_grid_algorithm, class Deadline = detail::default_grid_deadline<Algorithm>>
class grid_barrier_storage {
 public:
  explicit grid_barrier_storage(device const& d) : grid_barrier_storage(d, deadline(d, name)) {}

  // How long a wait may take.
  grid_barrier_storage(device const& d, std::chrono::nanoseconds limit) requires std::is_same_v<Deadline, with_deadline>
      : grid_barrier_storage(d, deadline(d, name, limit)) {}

  // The handle to pass to a kernel. Valid as long as the storage lives.
  grid_barrier<Algorithm, Deadline> barrier() const noexcept {
    return grid_barrier<Algorithm, Deadline>(lines_.data() + first_line_, deadline_.watch());
  }

  // Makes the storage usable again after a launch that was aborted between arrive and wait. Queued in s.
  void reset(stream const& s) {
    lines_.fill_bytes(s, 0);
    deadline_.reset(s);
  }

 private:
  using algorithm = detail::grid_algorithm<Algorithm>;
  using deadline = detail::deadline_memory<Deadline>;
  static constexpr char const* name = algorithm::name;
  static constexpr unsigned places = detail::places_of<algorithm>();

  // For the largest grid that can be resident, so that no launch finds too little.
  grid_barrier_storage(device const& d, deadline&& policy)
      : lines_(d, algorithm::lines(backend::most_resident_blocks(d.info())) + detail::lines_of_places<algorithm>()),
        deadline_(std::move(policy)) {
    stream s(d);
    reset(s);
    if constexpr (places > 1) {
      std::size_t const nearest = detail::nearest_place(s, lines_.data() + algorithm::busiest_line, places);
      first_line_ = nearest * backend::grid_barrier_lines_apart;
    }
    s.synchronize();
  }

  buffer<grid_barrier_line> lines_;
  std::size_t first_line_ = 0;
  deadline deadline_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
