// Check mode's way of running lanes: one worker runs the lanes of all resident blocks, one operation or a few at a
// time, as the schedule says, and sees at once when none of them can go on any more.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <fermata/detail/config.hpp>
#include <vector>

#include "../block.hpp"
#include "../fiber.hpp"
#include "../lane.hpp"
#include "../launch.hpp"
#include "engine.hpp"
#include "ready_lanes.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class worker;

namespace check {

class scheduler {
 public:
  // Check mode has one worker, and so one scheduler.
  static scheduler& instance();

  // A block has started, on this worker; it has ended well, or its launch has failed.
  void block_started(block& b);
  void block_ended(block& b);
  // A lane that has waited for others need not wait any more.
  void ready(lane& l);
  std::vector<block*> const& resident() const noexcept { return resident_; }
  // The barrier of a grid or of a cluster is complete.
  void wider_barrier_completed() noexcept { wider_barrier_completed_ = true; }

  // Runs lanes until a block has finished or a launch has failed, there may be mail for the worker, or only the host
  // can help. Pre: there are resident blocks.
  void run(worker& owner);
  // The lane to which `l` hands on when it lets others run; null if the scheduler has to see to something before.
  // Called on the stack of `l`: a lane that has returned, or has thrown, comes back to the scheduler.
  lane* next_after(lane& l) noexcept;
  // The clock that kernels read: it goes with the steps of the run, so that the seed repeats what depends on it.
  std::uint64_t nanoseconds() const noexcept { return clock_offset_ + total_steps_ * nanoseconds_a_step; }

 private:
  static constexpr std::uint64_t nanoseconds_a_step = 50;

  bool choose_next(worker& owner) noexcept;
  void begin_turn(lane& l) noexcept;
  void end_turn(lane& l) noexcept;
  bool calls_for_attention(block const& b) const noexcept;
  bool attend_to(lane& last);
  void wake_waiting(bool suspects_too);
  void leave_wider_barriers();
  bool nobody_is_ready();
  std::uint64_t most_steps(launch_state const& launch) const noexcept;
  bool out_of_steps();
  bool may_get_help();
  void somebody_got_on() noexcept;
  std::vector<launch_state*> running() const;

  std::vector<block*> resident_;
  ready_lanes ready_;
  std::vector<lane*> watching_;  // for a word to change
  std::deque<lane*> suspects_;   // can run, but have done nothing lately but repeat their reads
  lane* next_ = nullptr;     // has been chosen to run, and has not begun to
  unsigned turns_left_ = 0;  // until the worker looks for mail
  // The lane whose turn it is; the operations and basic blocks that it was given; those operations that it had to leave
  // to somebody else.
  lane* running_ = nullptr;
  std::uint32_t operations_ = 0, blocks_ = 0, not_run_ = 0;
  bool wider_barrier_completed_ = false;
  launch_state const* purged_ = nullptr;  // the failed launch whose lanes have been taken out last

  std::uint64_t total_steps_ = 0;  // of the run
  std::uint64_t steps_ = 0;        // of the run, or since a lane has returned: what the budget is for
  std::uint64_t steps_of_last_ = 1000;
  std::uint64_t clock_offset_ = 0;
  std::uint64_t changes_seen_ = 0;  // when the waiting lanes were looked at last
  std::uint64_t turns_since_look_ = 0, turns_since_suspect_ = 0;

  // While nobody gets on: the reads of those that poll, how many of them in a row have done nothing else; and, for what
  // only the host can end, since when.
  std::uint64_t fruitless_ = 0;
  std::size_t suspects_in_vain_ = 0;
  bool quiet_ = false;
  std::uint64_t host_progress_seen_ = 0;
  std::chrono::steady_clock::time_point quiet_since_;
};

// A lane has run a basic block of the kernel: after many of them others get their turn. For the compiler's hooks.
inline void basic_block(lane& l, void const* pc) noexcept {
  if (--l.blocks_left != 0) return;
  if (l.state != lane_state::runnable || inside_runtime(l)) {
    // In the middle of an operation, which calls a function of the kernel's.
    l.blocks_left = 1;
    return;
  }
  note_block(l, pc);
  leave(l);
}

// Why nobody gets on, for each launch that runs, told as a finding; ends the launches. In progress.cpp.
void report_deadlock(launch_state& launch, std::vector<block*> const& resident);
void report_livelock(launch_state& launch, std::vector<block*> const& resident, lane const* without_operation);

}  // namespace check
}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
