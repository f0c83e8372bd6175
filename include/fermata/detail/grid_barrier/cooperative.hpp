// The vendor's own grid barrier.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

template <>
struct grid_algorithm<cooperative> {
  static constexpr char const* name = "cooperative";
  static constexpr bool splits = false;
  static constexpr std::size_t lines(unsigned) noexcept { return 0; }

  template <class Watch>
  FERMATA_DEVICE static void sync(grid_barrier_line*, Watch const&) noexcept {
    static_assert(!Watch::timed,
                  "fermata::grid_barrier<cooperative, with_deadline>: the vendor's barrier does the waiting and cannot "
                  "be timed. Use grid_barrier<monotonic, with_deadline>, or leave the deadline out.");
    backend::cooperative_grid_sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
