#include "scheduler.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "../leaving.hpp"
#include "../pool.hpp"
#include "../worker.hpp"
#include "strategy.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// So few waiting lanes are looked at after every change; more of them once in as many turns.
constexpr std::size_t few = 64;
// One that polls gets a turn after so many of others, because its loop may be a bounded one.
constexpr std::uint64_t turns_before_a_suspect = 64;
// Reads that brought nothing new while nobody else could go on, before the loops around them count as waits without an
// end. In an exhaustive search kernels are small.
constexpr std::uint64_t most_reads_of_a_loop = 250'000, most_reads_of_a_small_loop = 5'000;
// How many steps a run may take without a lane returning, if the user has not said how many in all.
constexpr std::uint64_t steps_of_a_run = 4'000'000, steps_of_a_lane = 20'000;
constexpr std::uint64_t blocks_a_step = 64;
// The host may be about to queue a kernel that a lane waits for.
constexpr std::chrono::milliseconds patience_with_the_host{200};
constexpr std::uint64_t nanoseconds_of_a_poll = 100'000;

}  // namespace

scheduler& scheduler::instance() {
  // Never destroyed, as the worker's thread may end after it.
  static scheduler& the_one = *new scheduler;
  return the_one;
}

void scheduler::block_started(block& b) {
  launch_state& launch = b.launch();
  if (!launch.decisions_begun) {
    launch.decisions_begun = true;
    if (resident_.empty()) {
      if (total_steps_ != 0) steps_of_last_ = total_steps_;
      total_steps_ = steps_ = clock_offset_ = 0;
      if (launch.how.span == 0) launch.how.span = steps_of_last_;
      begin_decisions(launch.how);
      ready_.begin(launch.how);
    }
  }
  purged_ = nullptr;
  b.turns.resident = resident_.size();
  resident_.push_back(&b);
  b.turns.can_run = static_cast<unsigned>(b.queue_.size());
  b.turns.barrier_lane = nullptr;
  b.turns.diverged = false;
  b.turns.steps = 0;
  b.turns.ready.clear();
  for (lane* const l : b.queue_) {
    ready_.introduce(*l);
    ready_.add(*l);
  }
  b.queue_.clear();
  somebody_got_on();
}

void scheduler::block_ended(block& b) {
  launch_state const& launch = b.launch();
  if (launch.failed() && purged_ != &launch) {
    purged_ = &launch;
    ready_.remove_lanes_of(launch);
    auto const is_of = [&](lane const* l) { return &l->home->launch() == &launch; };
    if (next_ != nullptr && is_of(next_)) next_ = nullptr;
    std::erase_if(watching_, is_of);
    std::erase_if(suspects_, is_of);
  }
  resident_[b.turns.resident] = resident_.back();
  resident_.back()->turns.resident = b.turns.resident;
  resident_.pop_back();
  steps_ = launch.how.steps == 0 ? 0 : steps_;
  somebody_got_on();
}

void scheduler::ready(lane& l) {
  ++l.home->turns.can_run;
  ready_.add(l);
  if (running_ != nullptr && ready_.overtakes(l, *running_)) {
    not_run_ += running_->patience - 1;
    running_->patience = 1;
  }
}

void scheduler::run(worker& owner) {
  constexpr unsigned turns_between_mail = 4096;
  for (block const* const b : resident_)
    if (b->launch().failed()) return;
  turns_left_ = turns_between_mail;
  while (turns_left_ != 0) {
    if (next_ == nullptr && !choose_next(owner)) {
      if (!nobody_is_ready()) return;
      continue;
    }
    lane& l = *std::exchange(next_, nullptr);
    if (!l.home->has_stack(l)) return;
    begin_turn(l);
    lane& last = enter_here(l, owner.context());
    if (running_ != nullptr) end_turn(last);  // it has returned or thrown; else it came by next_after
    if (last.state == lane_state::returned) {
      owner.stacks().give_back(last.stack);
      last.stack = {};
    }
    if (calls_for_attention(*last.home) && !attend_to(last)) return;
  }
}

lane* scheduler::next_after(lane& l) noexcept {
  end_turn(l);
  if (turns_left_ == 0 || l.state == lane_state::abandoned || calls_for_attention(*l.home)) return nullptr;
  // What begins needs a stack, which may not be there.
  if (!choose_next(l.home->owner()) || !next_->context) return nullptr;
  lane* const next = std::exchange(next_, nullptr);
  begin_turn(*next);
  return next;
}

// Sets the lane that runs next; false if none is ready.
bool scheduler::choose_next(worker& owner) noexcept {
  std::size_t const waiting = watching_.size() + suspects_.size();
  std::uint64_t const changes = owner.progress() + progress_of_the_host();
  if (waiting != 0 && changes != changes_seen_ &&
      (waiting <= few || ++turns_since_look_ >= waiting || ready_.empty())) {
    changes_seen_ = changes;
    wake_waiting(true);
  }
  if (ready_.empty()) return false;
  if (!suspects_.empty() && ++turns_since_suspect_ >= turns_before_a_suspect &&
      decided_by().schedule != turns::exhaustive) {
    turns_since_suspect_ = 0;
    ready_.add(*suspects_.front());
    suspects_.pop_front();
  }
  somebody_got_on();
  next_ = &ready_.take(total_steps_);
  return true;
}

// Of the lanes that wait for a word, those that need not wait any more; and those that poll, if something has changed.
void scheduler::wake_waiting(bool suspects_too) {
  turns_since_look_ = 0;
  std::erase_if(watching_, [&](lane* l) {
    if (!l->watched.changed()) return false;
    l->state = lane_state::runnable;
    ready_.add(*l);
    return true;
  });
  if (!suspects_too) return;
  for (lane* const l : suspects_) ready_.add(*l);
  suspects_.clear();
}

void scheduler::begin_turn(lane& l) noexcept {
  --turns_left_;
  operations_ = l.patience;
  blocks_ = l.blocks_left;
  l.suspect = false;
  not_run_ = 0;
  running_ = &l;
}

// Counts what the lane has done, and puts it where it belongs now.
void scheduler::end_turn(lane& l) noexcept {
  running_ = nullptr;
  std::uint32_t const done = operations_ - l.patience - not_run_;
  std::uint64_t const steps = 1 + done + (blocks_ - l.blocks_left) / blocks_a_step;
  total_steps_ += steps;
  steps_ += steps;
  l.turns_without_operation = done == 0 && l.state == lane_state::runnable ? l.turns_without_operation + 1 : 0;
  ready_.had_turn(l, steps);
  block& b = *l.home;
  switch (l.state) {
    case lane_state::runnable:
      if (l.suspect || l.reads.spinning()) {
        suspects_.push_back(&l);
      } else {
        ready_.add(l);
      }
      break;
    case lane_state::watching:
      watching_.push_back(&l);
      break;
    case lane_state::returned:
      if (b.launch().how.steps == 0) steps_ = 0;
      --b.turns.can_run;
      break;
    case lane_state::in_wave:
    case lane_state::asking:
    case lane_state::in_block:
      --b.turns.can_run;
      break;
    case lane_state::abandoned:
      break;
  }
}

// Whether the last turn has left something to do that is none of a lane's: attend_to does it.
bool scheduler::calls_for_attention(block const& b) const noexcept {
  return b.turns.can_run == 0 || b.asking_ != 0 || wider_barrier_completed_ || b.launch().failed() ||
         steps_ >= most_steps(b.launch());
}

// False if the worker has something to do: a block has finished, or a launch has failed.
bool scheduler::attend_to(lane& last) {
  block& b = *last.home;
  if (last.state == lane_state::abandoned) return false;
  if (b.asking_ != 0) b.answer_who_is_here(*last.own_wave);
  if (wider_barrier_completed_) leave_wider_barriers();
  if (b.finished() || b.launch().failed()) return false;
  if (b.turns.can_run == 0 && !b.at_wider_barrier_ && !b.answer_who_is_here()) {
    b.fail_stuck();
    return false;
  }
  return steps_ < most_steps(b.launch()) || !out_of_steps();
}

void scheduler::leave_wider_barriers() {
  wider_barrier_completed_ = false;
  for (block* const b : resident_)
    if (b->at_wider_barrier_) b->leave_wider_barrier();
}

std::uint64_t scheduler::most_steps(launch_state const& launch) const noexcept {
  if (launch.how.steps != 0) return launch.how.steps;
  return steps_of_a_run + steps_of_a_lane * resident_.size() * launch.threads;
}

// The run has gone on for so long that it is taken for one that never ends.
bool scheduler::out_of_steps() {
  lane const* without_operation = nullptr;
  for (block* const b : resident_)
    for (lane const& l : b->lanes_)
      if (l.state == lane_state::runnable && l.turns_without_operation > 1) without_operation = &l;
  for (launch_state* const launch : running()) report_livelock(*launch, resident_, without_operation);
  steps_ = 0;
  return true;
}

// All lanes wait, or poll in vain. Those that poll go on for a while, in turn, and see the newest of everything. False
// if only the host can help, or nobody.
bool scheduler::nobody_is_ready() {
  for (block* const b : resident_)
    if (b->asking_ != 0 && b->answer_who_is_here()) return true;
  // The host need not tell of what it writes.
  wake_waiting(false);
  if (!ready_.empty()) return true;
  only_newest_values(true);
  bool const small = decided_by().schedule == turns::exhaustive;
  if (!suspects_.empty() && (suspects_in_vain_ < suspects_.size() ||
                             fruitless_ < (small ? most_reads_of_a_small_loop : most_reads_of_a_loop))) {
    lane& l = *suspects_.front();
    suspects_.pop_front();
    if (l.reads.reads_clock()) {
      // Time passes, and nothing else does.
      clock_offset_ += nanoseconds_of_a_poll;
    } else if (l.reads.spinning()) {
      ++suspects_in_vain_;
      fruitless_ += l.reads.lap();
    } else {
      suspects_in_vain_ = 0;
    }
    l.patience = patience_of_a_lane;
    l.blocks_left = blocks_a_step * patience_of_a_lane;
    next_ = &l;
    return true;
  }
  if (may_get_help()) return false;
  for (launch_state* const launch : running()) report_deadlock(*launch, resident_);
  somebody_got_on();
  return false;
}

// Whether somebody outside may still end the wait; then a moment has passed.
bool scheduler::may_get_help() {
  settings const& how = decided_by();
  bool for_host = false;
  for (lane const* const l : watching_) for_host |= l->watched.scope == thread_scope::system;
  for (lane const* const l : suspects_) for_host |= l->reads.host_may_end_it();
  if (!for_host && how.alone) return false;
  auto const now = std::chrono::steady_clock::now();
  if (std::uint64_t const progress = progress_of_the_host(); !quiet_ || progress != host_progress_seen_) {
    quiet_ = true;
    quiet_since_ = now;
    host_progress_seen_ = progress;
  }
  if (now - quiet_since_ >= (for_host ? how.watchdog : patience_with_the_host)) return false;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  // Once around for those that poll.
  suspects_in_vain_ = 0;
  return true;
}

void scheduler::somebody_got_on() noexcept {
  if (fruitless_ == 0 && suspects_in_vain_ == 0 && !quiet_) return;
  only_newest_values(false);
  fruitless_ = suspects_in_vain_ = 0;
  quiet_ = false;
}

std::vector<launch_state*> scheduler::running() const {
  std::vector<launch_state*> result;
  for (block const* const b : resident_)
    if (std::find(result.begin(), result.end(), &b->launch()) == result.end()) result.push_back(&b->launch());
  return result;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
