// The lanes that can run, and which of them runs next: the schedules of check mode. Taking a lane and adding one cost
// O(1), under pct O(log n).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <fermata/detail/config.hpp>
#include <vector>

#include "../block.hpp"
#include "../lane.hpp"
#include "../settings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

class ready_lanes {
 public:
  // Under pct the lanes of a block keep their ranks for so many steps of theirs, if no change comes before.
  static constexpr std::uint64_t steps_by_rank = 10'000;

  // Pre: empty. pct spreads its changes over how.span steps.
  void begin(settings const& how);

  // A lane that begins: under pct it gets its rank.
  void introduce(lane& l);
  void add(lane& l);
  bool empty() const noexcept { return count_ == 0; }
  // The lane that runs next, and for how many operations (lane::patience) and basic blocks (lane::blocks_left) unless
  // it waits before. `step` is how many steps the run has taken so far. Pre: not empty.
  lane& take(std::uint64_t step);
  // The lane has had a turn. Under pct it goes behind all others when its block has gone on for long: it may wait in a
  // way that cannot be seen, by itself, or together with others in operations of its wave or its block.
  void had_turn(lane& l, std::uint64_t steps) noexcept {
    if (schedule_ != turns::pct) return;
    l.home->turns.steps += steps;
    if (l.blocks_left == 0 || l.home->turns.steps >= steps_by_rank) demote(l);
  }
  // Whether `l`, which is ready, goes before the lane that runs.
  bool overtakes(lane const& l, lane const& running) const noexcept {
    return schedule_ == turns::pct && l.priority > running.priority;
  }
  // Of a launch that is being ended.
  void remove_lanes_of(launch_state const& launch);

 private:
  void demote(lane& l) noexcept;
  lane& take_in_turn();
  lane& take_random();
  lane& take_by_rank(std::uint64_t step);

  turns schedule_ = turns::fair;
  std::size_t count_ = 0;
  std::deque<block*> turns_;    // fair: the blocks in the order of their turns, some without a lane that can run
  std::size_t left_ = 0;        // fair: turns of lanes until the first of them goes behind
  std::vector<lane*> lanes_;    // exhaustive: in the order of their coming; pct: a heap
  std::vector<block*> blocks_;  // random: those that have ready lanes
  block* favourite_ = nullptr;  // random: the block that goes on …
  unsigned favour_ = 0;         // … for so many turns
  std::vector<std::uint64_t> changes_;  // pct: the steps at which the lane that runs goes behind, the next one last
  std::uint64_t lowest_ = 0;            // pct: the lowest rank that has been given away
};

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
