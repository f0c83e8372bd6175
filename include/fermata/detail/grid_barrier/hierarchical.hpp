// The grid barrier of two levels: blocks arrive in their group, the last of a group arrives for it.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/cluster.hpp>
#include <fermata/detail/barrier_group.hpp>
#include <fermata/detail/grid_barrier/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Lines: 0 the groups' arrivals; those of the groups: a group's blocks' arrivals, and its `go`.
//
// Groups are neighbours by rank. Where a block really runs may make the barrier slower, never wrong; every step is at
// device scope. (combining.hpp has the barrier whose groups follow the hardware.)
//
// Words that count (arrival_count) add up to the same in each crossing and need no reset, whatever the groups of the
// launch. A group's `go` is advanced by one in each crossing of which the group is part; a block samples it before it
// arrives, and it cannot move before that, so that "another value than the sample" is the end of the crossing.
//
// Order   a block's leader         its block's barrier → arrives in the group, releasing
//         the last of the group    acquires by a fence: its arrival has read the end of the release sequences of all
//                                  others → arrives for the group, releasing what it acquired
//         the last of all          acquires likewise, and releases, by one fence → advances every `go`, relaxed
//         a block's leader         waits for its group's `go`, acquiring → its block's barrier
template <>
struct grid_algorithm<hierarchical> {
  static constexpr char const* name = "hierarchical";
  static constexpr bool splits = true;
  static constexpr std::size_t lines(unsigned most) noexcept { return lines_of_groups(most_barrier_groups(most)); }

  template <class Watch>
  FERMATA_DEVICE static grid_barrier_token arrive(grid_barrier_line* lines, Watch const& watch) noexcept {
    grid_barrier_token token{0, 0};
    barrier_group const place = barrier_group_of(block_rank(), num_blocks());
    // Before the barrier, so that the two latencies overlap.
    if (leads_block()) token.seen = relaxed_load(go_of(lines, place.group));
    this_block().sync();
    if (leads_block()) {
      watch.arriving();
      if (arrive_at(arrivals_of(lines, place.group), place.member, place.members)) {
        backend::atomic_thread_fence<thread_scope::device, std::memory_order_acquire>();
        if (arrive_at(lines[0].words[0], place.group, place.groups)) {
          backend::atomic_thread_fence<thread_scope::device, std::memory_order_acq_rel>();
          for (unsigned group = 0; group < place.groups; ++group)
            (void)backend::atomic_fetch_add<thread_scope::device, std::memory_order_relaxed>(&go_of(lines, group), 1u);
        }
      }
      token.arrival = backend::cycle_stamp();
    }
    return token;
  }

  template <class Watch>
  FERMATA_DEVICE static void wait(grid_barrier_line* lines, grid_barrier_token token, Watch const& watch) noexcept {
    if (leads_block()) {
      backend::wait_until(token.arrival, backend::grid_barrier_first_poll(num_blocks()));
      barrier_group const place = barrier_group_of(block_rank(), num_blocks());
      watch.template await<std::memory_order_acquire>(&go_of(lines, place.group),
                                                      [old = token.seen](std::uint32_t seen) { return seen != old; });
    }
    this_block().sync();
  }

  // Where the launch has clusters they are the groups, and the hardware's barrier is their level: one hop less. It has
  // no place in arrive and wait: no other barrier of the block may stand between its halves. It cannot be timed either.
  template <class Watch>
  FERMATA_DEVICE static void sync(grid_barrier_line* lines, Watch const& watch) noexcept {
    if constexpr (!Watch::timed) {
      if (backend::cluster_size() > 1) {
        sync_clusters(lines, watch);
        return;
      }
    }
    wait(lines, arrive(lines, watch), watch);
  }

 private:
  // Whether the caller was the last.
  FERMATA_DEVICE static bool arrive_at(std::uint32_t& word, unsigned party, unsigned parties) noexcept {
    std::uint32_t const amount = arrival_count::amount(party, parties);
    std::uint32_t const old = device_atomic_ref<std::uint32_t>(word).fetch_add(amount, memory_order_release);
    return arrival_count::is_last(old, amount);
  }

  // Order   the cluster's barrier is cumulative, so that its leader's releasing arrival covers all of its blocks; the
  //         leader waits, acquiring, as in one_word_barrier; the cluster's barrier hands that on.
  // A cluster is neighbours along x, of which the grid has a multiple: so ranks give its number.
  template <class Watch>
  FERMATA_DEVICE static void sync_clusters(grid_barrier_line* lines, Watch const& watch) noexcept {
    backend::cluster_sync();
    if (backend::cluster_rank() == 0 && leads_block()) {
      unsigned const size = backend::cluster_size(), clusters = num_blocks() / size;
      std::uint32_t const old =
          device_atomic_ref<std::uint32_t>(lines[0].words[0])
              .fetch_add(arrival_count::amount(block_rank() / size, clusters), memory_order_release);
      watch.template await<std::memory_order_acquire>(
          &lines[0].words[0], [old](std::uint32_t seen) { return arrival_count::is_over(old, seen); });
    }
    backend::cluster_sync();
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
