// Where a barrier's lines lie best: near to all multiprocessors.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// The shortest of some round trips from each block to each line, in cycles: out[line * num_blocks() + block].
//
// Each access takes its address from what the one before it returned, so that the time between the stamps behind them
// is a round trip. The words are zero and stay so. Other work on the device makes figures worse and nothing wrong.
template <class Line>
FERMATA_KERNEL_BOUNDS(1024) measure_round_trips(Line* lines, unsigned count, std::uint32_t* out) {
  if (!leads_block()) return;
  for (unsigned line = 0; line < count; ++line) {
    std::uint32_t* word = &lines[line].words[0];
    std::uint32_t shortest = ~std::uint32_t{0};
    std::uint64_t before = 0;
    for (unsigned trip = 0; trip < 7; ++trip) {
      word += device_atomic_ref<std::uint32_t>(*word).fetch_add(0, memory_order_relaxed);
      std::uint64_t const now = backend::cycle_stamp();
      std::uint32_t const took = static_cast<std::uint32_t>(now - before);
      // The first two fill caches and bring the blocks into step.
      if (trip > 1 && took < shortest) shortest = took;
      before = now;
    }
    out[std::size_t{line} * num_blocks() + block_rank()] = shortest;
  }
}

// Which of `places` lines, zeroed, has the shortest round trip in the median of all multiprocessors. Waits for s. A
// template, so that a program that makes no storage has no kernel of ours.
template <class Line>
std::size_t nearest_line(stream const& s, Line* lines, unsigned places) {
  // As many threads as a block can have, so that no multiprocessor gets two blocks while another has none.
  unsigned const blocks = s.device().info().multiprocessors;
  unsigned const most = s.device().info().max_threads_per_block;
  unsigned const threads = most < 1024 ? most : 1024;
  buffer<std::uint32_t> const out(s.device(), std::size_t{places} * blocks);
  launch(s, {blocks, threads}, measure_round_trips<Line>, lines, places, out.data());
  std::vector<std::uint32_t> trips = out.download(s);
  std::vector<std::uint32_t> medians(places);
  for (unsigned line = 0; line < places; ++line) {
    auto const first = trips.begin() + std::ptrdiff_t{line} * blocks;
    std::nth_element(first, first + blocks / 2, first + blocks);
    medians[line] = first[blocks / 2];
  }
  return static_cast<std::size_t>(std::min_element(medians.begin(), medians.end()) - medians.begin());
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
