// What the algorithms of the grid barrier share: their memory, the token, and a word that counts arrivals.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <cstdint>

#include <fermata/atomic.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/backend/grid.hpp>
#include <fermata/backend/spin.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/grid_barrier/algorithms.hpp>
#include <fermata/detail/grid_position.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The memory of a grid barrier is lines of 128 bytes, which cover the granules of both vendors. A word that many blocks
// change or poll has a line of its own and is its first word; slots, of which each has one writer, lie close together,
// so that a wave polls 32 of them with one access.
struct alignas(128) grid_barrier_line {
  std::uint32_t words[32];
};

// What a thread remembers of a split barrier between arrive and wait.
struct grid_barrier_token {
  std::uint32_t seen;     // the barrier's word before the arrival, or the number of the crossing
  std::uint64_t arrival;  // when that was, as a backend::cycle_stamp
};

namespace detail {

using backend::leads_block;

FERMATA_DEVICE inline std::uint32_t relaxed_load(std::uint32_t const& word) noexcept {
  return backend::atomic_load<thread_scope::device, std::memory_order_relaxed>(&word);
}
FERMATA_DEVICE inline void relaxed_store(std::uint32_t& word, std::uint32_t value) noexcept {
  backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(&word, value);
}

// The slot of a block in an array of slots that begins with a line.
FERMATA_FN inline std::uint32_t& slot_of(grid_barrier_line* first, unsigned block) noexcept {
  return reinterpret_cast<std::uint32_t*>(first)[block];
}
constexpr std::size_t lines_of_slots(unsigned blocks) noexcept { return (std::size_t{blocks} + 31) / 32; }

// A barrier of two levels: line 0 is that of all groups, and each group has two behind it, for what arrives there and
// for its `go`.
FERMATA_FN inline std::uint32_t& arrivals_of(grid_barrier_line* lines, unsigned group) noexcept {
  return lines[1 + 2 * group].words[0];
}
FERMATA_FN inline std::uint32_t& go_of(grid_barrier_line* lines, unsigned group) noexcept {
  return lines[2 + 2 * group].words[0];
}
constexpr std::size_t lines_of_groups(std::size_t groups) noexcept { return 1 + 2 * groups; }

// A word at which parties arrive, and which only grows. All arrivals of one crossing add up to `Quantum`, a power of
// two, whatever the number of parties: party 0 adds the rest. So the word needs no reset between crossings of different
// numbers. Fewer than `Quantum` parties.
template <std::uint32_t Quantum>
struct arrivals {
  static constexpr std::uint32_t quantum = Quantum;

  FERMATA_DEVICE static std::uint32_t amount(std::uint32_t party, std::uint32_t parties) noexcept {
    return party == 0 ? quantum - (parties - 1) : 1;
  }
  // Whether the arrival that found `old` was the last one of its crossing.
  FERMATA_DEVICE static bool is_last(std::uint32_t old, std::uint32_t amount) noexcept {
    return ((old + amount) & (quantum - 1)) == 0;
  }
  // Whether a crossing is over for the party whose arrival found `old`, when the word is `now`. Nobody can end the next
  // one without that party, so the quanta that the word holds are as many as then, or one more; in that form they may
  // wrap around, and nothing can be computed of `old` before the word is loaded: on its way to a first poll a leader
  // does not wait for what its arrival returns.
  FERMATA_DEVICE static bool is_over(std::uint32_t old, std::uint32_t now) noexcept { return (now ^ old) >= quantum; }
};
using arrival_count = arrivals<1u << 24>;

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
