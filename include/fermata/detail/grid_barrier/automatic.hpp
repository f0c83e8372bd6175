// The grid barrier that is the fastest for the target and the number of blocks.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/one_word.hpp>
#include <fermata/detail/grid_barrier/striped.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: those of striped, then those of monotonic. Each algorithm keeps to its own, so that launches of different
// grids may take different ones. The number of blocks decides, so all blocks of a launch take the same.
template <>
struct grid_algorithm<automatic> {
  using for_few = grid_algorithm<monotonic>;
  using for_many = grid_algorithm<striped>;

  static constexpr char const* name = "automatic";
  static constexpr bool splits = true;
  static constexpr std::size_t busiest_line = for_many::lines(0) + for_few::busiest_line;  // striped has four
  static constexpr std::size_t lines(unsigned most) noexcept { return lines_of_many + for_few::lines(most); }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    return are_many() ? for_many::arrive(lines, watch) : for_few::arrive(few(lines), watch);
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (are_many())
      for_many::wait(lines, token, watch);
    else
      for_few::wait(few(lines), token, watch);
  }

 private:
  static constexpr std::size_t lines_of_many = for_many::lines(0);

  FERMATA_DEVICE static bool are_many() noexcept { return backend::grid_barrier_is_striped(num_blocks()); }
  FERMATA_DEVICE static grid_barrier_line* few(grid_barrier_line* lines) noexcept { return lines + lines_of_many; }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
