// The grid barrier of two levels whose groups are the parts of the device on which blocks happen to run.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/grid.hpp>
#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 the arrivals; those of the groups, which are the chiplets: what is pending there, and its `go`.
//
// How many blocks of a launch run on a chiplet, nobody knows: no launch tells, and a barrier without a memory of its
// own has no first crossing in which it could count. So no block is the last of its chiplet. A block adds its arrival
// to what is pending; who finds nothing pending carries on to line 0 all that has come by then, its own arrival and
// those of others, which need not carry. Arrivals that come while one is under way travel together, a chiplet has no
// more than one carrier at a time, and no block waits for another. (Combining, as in Goodman, Vernon and Woest,
// "Efficient synchronization primitives for large-scale cache-coherent multiprocessors", ASPLOS 1989.)
//
// What is carried adds up to one quantum a crossing (arrival_count), whatever the grid. The number of a crossing is how
// many quanta line 0 holds, in 8 bits; a block reads it before it arrives, without which no crossing ends. Whoever
// completes a quantum writes the number to every `go`. A `go` may lag behind, but for no more than the crossing that is
// being told, and waits are for equality: so a block may move to another chiplet at any time.
//
// Order   a block's leader     its block's barrier → adds to what is pending, releasing
//         a carrier            takes that, acquiring: it reads the end of the release sequences of all that it
//                              takes → adds it to line 0, releasing
//         the one who is last  its addition has read the end of the release sequences of all carriers: acquires, and
//                              releases, by one fence → writes every `go`, relaxed
//         a block's leader     waits for its chiplet's `go`, acquiring → its block's barrier
template <>
struct grid_algorithm<combining> {
  static constexpr char const* name = "combining";
  static constexpr bool splits = true;
  static constexpr std::size_t lines(unsigned) noexcept { return lines_of_groups(backend::chiplets); }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    grid_barrier_token token{0, 0};
    // Before the barrier, so that the two latencies overlap.
    if (leads_block()) token.seen = number_behind(relaxed_load(lines[0].words[0]));
    this_block().sync();
    if (leads_block()) {
      watch.arriving();
      device_atomic_ref<std::uint32_t> const pending(arrivals_of(lines, backend::chiplet()));
      std::uint32_t const amount = arrival_count::amount(block_rank(), num_blocks());
      if (pending.fetch_add(amount, memory_order_release) == 0) carry(lines, pending, token.seen);
      token.arrival = backend::cycle_stamp();
    }
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (leads_block()) {
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      watch.template await<std::memory_order_acquire>(
          &go_of(lines, backend::chiplet()), [number = token.seen](std::uint32_t seen) { return seen == number; });
    }
    this_block().sync();
  }

 private:
  // The number of the crossing that is next when line 0 holds this.
  FERMATA_DEVICE static std::uint32_t number_behind(std::uint32_t arrived) noexcept {
    return (arrived / arrival_count::quantum + 1) % 256;
  }

  FERMATA_DEVICE static void carry(grid_barrier_line* lines, device_atomic_ref<std::uint32_t> pending,
                                   std::uint32_t number) noexcept {
    std::uint32_t const amount = pending.exchange(0, memory_order_acquire);
    device_atomic_ref<std::uint32_t> const arrived(lines[0].words[0]);
    if (!arrival_count::is_last(arrived.fetch_add(amount, memory_order_release), amount)) return;
    backend::atomic_thread_fence<thread_scope::device, std::memory_order_acq_rel>();
    for (unsigned chiplet = 0; chiplet < backend::chiplets; ++chiplet) relaxed_store(go_of(lines, chiplet), number);
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
