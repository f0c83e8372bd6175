// Where a barrier's lines lie best: near to all multiprocessors.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fermata/backend/spin.hpp>
#include <fermata/buffer.hpp>
#include <fermata/detail/grid_barrier/words.hpp>
#include <fermata/device.hpp>
#include <fermata/kernel.hpp>
#include <fermata/launch.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// At how many places an algorithm's lines may begin, so that the one that all blocks change and poll can be chosen.
template <class Algorithm>
constexpr unsigned places_of() noexcept {
  if constexpr (requires { Algorithm::busiest_line; })
    return backend::grid_barrier_places;
  else
    return 1;
}

// How many more lines the places take than the algorithm alone.
template <class Algorithm>
constexpr std::size_t lines_of_places() noexcept {
  return std::size_t{places_of<Algorithm>() - 1} * backend::grid_barrier_lines_apart;
}

// What an atomic takes to the word, which is zero and stays so, and back, in cycles.
FERMATA_DEVICE inline std::uint32_t round_trip(device_atomic_ref<std::uint32_t> word) noexcept {
  std::uint64_t const before = backend::cycle_stamp();
  // A branch on what comes back: nothing else keeps the second stamp from being taken before it does.
  if (word.fetch_add(0, memory_order_relaxed) != 0) return ~std::uint32_t{0};
  return static_cast<std::uint32_t>(backend::cycle_stamp() - before);
}

// The shortest of some round trips from each block to the line of each place, in cycles:
// out[place * num_blocks() + block_rank()]. Other work on the device makes figures worse and nothing wrong.
template <class Line>
FERMATA_KERNEL_BOUNDS(1024) measure_round_trips(Line* lines, unsigned places, std::uint32_t* out) {
  if (!leads_block()) return;
  for (unsigned place = 0; place < places; ++place) {
    device_atomic_ref<std::uint32_t> const word(lines[std::size_t{place} * backend::grid_barrier_lines_apart].words[0]);
    std::uint32_t shortest = ~std::uint32_t{0};
    for (unsigned trip = 0; trip < 7; ++trip) {
      std::uint32_t const took = round_trip(word);
      // The first two fill caches and bring the blocks into step.
      if (trip > 1 && took < shortest) shortest = took;
    }
    out[std::size_t{place} * num_blocks() + block_rank()] = shortest;
  }
}

// Which place has the shortest trips in the mean of all blocks; the first of those that are alike. The means of places
// in different halves of a cache are alike, and each block is near to one half: so the first block, the only one of a
// small grid, has some more weight. With the trips of an H200, 260 to 520 cycles and 390 in the mean, that makes the
// mean of the others worse by a hundredth or so at most.
inline std::size_t nearest_of(std::vector<std::uint32_t> const& trips, std::size_t blocks) {
  std::size_t nearest = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t place = 0; place < trips.size() / blocks; ++place) {
    auto const first = trips.begin() + static_cast<std::ptrdiff_t>(place * blocks);
    auto const last = first + static_cast<std::ptrdiff_t>(blocks);
    std::uint64_t const sum = std::accumulate(first, last, std::uint64_t{0}) + *first * (blocks / 64);
    if (sum < least) {
      least = sum;
      nearest = place;
    }
  }
  return nearest;
}

// Which of `places` places, whose lines are zeroed, lies nearest to the multiprocessors. Waits for s. A template, so
// that a program that makes no storage has no kernel of ours.
template <class Line>
std::size_t nearest_place(stream const& s, Line* lines, unsigned places) {
  // As many threads as a block can have, so that no multiprocessor gets two blocks while another has none.
  unsigned const blocks = s.device().info().multiprocessors;
  unsigned const most = s.device().info().max_threads_per_block;
  unsigned const threads = most < 1024 ? most : 1024;
  buffer<std::uint32_t> const out(s.device(), std::size_t{places} * blocks);
  launch(s, {blocks, threads}, measure_round_trips<Line>, lines, places, out.data());
  return nearest_of(out.download(s), blocks);
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
