// The grid barrier that is the fastest for the target and the number of blocks.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/grid_barrier/one_word.hpp>
#include <fermata/detail/grid_barrier/striped.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: that of monotonic, then those of striped. Each algorithm keeps to its own, so that launches of different
// grids may take different ones. The number of blocks decides, so all blocks of a launch take the same.
template <>
struct grid_algorithm<automatic> {
  using for_few = grid_algorithm<monotonic>;
  using for_many = grid_algorithm<striped>;

  static constexpr char const* name = "automatic";
  static constexpr bool splits = true;
  static constexpr std::size_t busiest_line = for_few::busiest_line;  // striped has four
  static constexpr std::size_t lines(unsigned most) noexcept { return lines_of_few + for_many::lines(most); }

  template <class Watch>
  FERMATA_DEVICE static void sync(grid_barrier_line* lines, Watch const& watch) noexcept {
    // The few have less time to lose, so theirs is the straight way through the code.
    if (are_many()) [[unlikely]]
      for_many::wait(many(lines), for_many::arrive(many(lines), watch), watch);
    else
      for_few::sync(lines, watch);
  }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    return are_many() ? for_many::arrive(many(lines), watch) : for_few::arrive(lines, watch);
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (are_many())
      for_many::wait(many(lines), token, watch);
    else
      for_few::wait(lines, token, watch);
  }

 private:
  static constexpr std::size_t lines_of_few = for_few::lines(0);

  FERMATA_DEVICE static bool are_many() noexcept { return backend::grid_barrier_is_striped(num_blocks()); }
  FERMATA_DEVICE static grid_barrier_line* many(grid_barrier_line* lines) noexcept { return lines + lines_of_few; }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
