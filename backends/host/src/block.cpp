#include "block.hpp"

#include <algorithm>
#include <exception>

#include "check/checking.hpp"
#include "check/engine.hpp"
#include "check/scheduler.hpp"
#include "random.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

void block::start(worker& owner, std::shared_ptr<launch_state> launch, unsigned number) {
  owner_ = &owner;
  launch_ = std::move(launch);
  number_ = number;
  index_ = launch_->block_index(number);
  cluster_ = launch_->join_cluster(number);
  moves_ = returned_ = at_barrier_ = asking_ = 0;
  at_wider_barrier_ = false;
  random_ = launch_->how.seed ^ (number + 1) * splitmix_step;
  shared_.reset(launch_->request.config.dynamic_shared_bytes, number);

  unsigned const count = launch_->threads, width = launch_->how.wave_size;
  dim3 const& shape = launch_->request.config.block;
  lanes_.assign(count, lane{});
  waves_.resize((count + width - 1) / width);
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    wave& w = waves_[i];
    unsigned const first = static_cast<unsigned>(i) * width;
    w.first = &lanes_[first];
    w.lanes = std::min(width, count - first);
    w.live = ~lane_word{0} >> (64 - w.lanes);
    w.gatherings.clear();
  }
  queue_.clear();
  next_queue_.clear();
  queue_.reserve(count);
  next_queue_.reserve(count);
  dim3 index(0, 0, 0);
  for (unsigned rank = 0; rank < count; ++rank) {
    lane& l = lanes_[rank];
    l.home = this;
    l.own_wave = &waves_[rank / width];
    l.rank = rank;
    l.place = rank % width;
    l.index = index;
    l.patience = patience_of_a_lane;
    queue_.push_back(&l);
    if (++index.x == shape.x) {
      index.x = 0;
      if (++index.y == shape.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
  if constexpr (checking) check::block_begins(*this, number);
}

turn block::take_turn() {
  turn_ = {};
  if (at_wider_barrier_) {
    if (!leave_wider_barrier()) return turn_;
    turn_.advanced = turn_.again = true;
  }
  if (launch_->how.schedule == turns::random) shuffle_queue();
  at_ = 0;
  while (lane* const l = next_in_turn()) {
    lane& last = enter(*l, owner_->context());
    if (last.state != lane_state::returned) break;
    owner_->stacks().give_back(last.stack);
    last.stack = {};
  }
  if (asking_ != 0 && answer_who_is_here()) turn_.advanced = turn_.again = true;
  queue_.swap(next_queue_);
  next_queue_.clear();
  // With nobody left to run, nobody can complete what the others wait for: no other block can help.
  if (queue_.empty() && !finished() && !at_wider_barrier_ && !launch_->failed()) fail_stuck();
  return turn_;
}

// The next lane of the queue that can run; null at its end, or if there is no memory to go on.
lane* block::next_in_turn() noexcept {
  while (at_ != queue_.size()) {
    lane& l = *queue_[at_++];
    if (l.state == lane_state::watching && !need_not_watch(l)) continue;
    if (!l.context && !has_stack(l)) return nullptr;
    turn_.ran = true;
    l.suspect = false;
    return &l;
  }
  return nullptr;
}

bool block::need_not_watch(lane& l) noexcept {
  if (l.watched.changed()) {
    l.state = lane_state::runnable;
    return true;
  }
  next_queue_.push_back(&l);
  if (l.watched.scope == thread_scope::system) turn_.wait = wait_kind::for_host;
  return false;
}

lane* block::next_after(lane& l) noexcept {
  switch (l.state) {
    case lane_state::runnable:
      next_queue_.push_back(&l);
      if (l.suspect || l.reads.spinning()) {
        turn_.advanced |= !l.reads.spinning();
        turn_.repetitions += l.reads.lap();
        turn_.wait = std::max(turn_.wait, l.reads.host_may_end_it() ? wait_kind::for_host : wait_kind::in_loop);
        return next_in_turn();
      }
      turn_.took_long = true;
      break;
    case lane_state::watching:
      next_queue_.push_back(&l);
      turn_.advanced = true;
      return next_in_turn();
    case lane_state::abandoned:
      // The launch has failed.
      return nullptr;
    case lane_state::in_wave:
    case lane_state::asking:
    case lane_state::in_block:
    case lane_state::returned:
      break;
  }
  turn_.advanced = turn_.again = true;
  return next_in_turn();
}

lane* block::heir_of(lane& l) noexcept {
  turn_.advanced = turn_.again = true;
  if (l.state != lane_state::returned || at_ == queue_.size() || queue_[at_]->context) return nullptr;
  lane& next = *queue_[at_++];
  next.stack = std::exchange(l.stack, {});
  return &next;
}

bool block::has_stack(lane& l) {
  if (l.stack || (l.stack = owner_->stacks().take())) return true;
  launch_->fail(errc::out_of_memory,
                "no memory for the stack of a lane; fewer resident blocks need fewer stacks "
                "(FERMATA_HOST_RESIDENT_BLOCKS=" +
                    std::to_string(launch_->how.resident_blocks) + ")");
  l.state = lane_state::abandoned;
  return false;
}

void block::run_kernel(lane& l) noexcept {
  kernel_call const& call = launch_->request.call;
  bool threw = true;
  std::string what;
  try {
    call.invoke(call.arguments.get());
    threw = false;
  } catch (std::exception const& e) {
    what = e.what();
  } catch (...) {
    what = "something that is not a std::exception";
  }
  // Outside the handlers, because what follows may wake others.
  if (threw) {
    launch_->fail(errc::kernel_failed,
                  "kernel threw in block " + name() + ", thread " + to_text(l.index) + ": " + what);
    l.state = lane_state::abandoned;
    return;
  }
  lane_returned(l);
}

void run_kernel(lane& l) noexcept { l.home->run_kernel(l); }

void block::lane_returned(lane& l) {
  if (l.arrived != split_barrier::none) fail_broken_split(l, "returns from the kernel");
  if constexpr (checking) check::lane_returned(l);
  l.state = lane_state::returned;
  ++returned_;
  leave_gatherings(l);
  if (at_barrier_ != 0 && at_barrier_ + returned_ == lanes_.size()) fail_exited_at_barrier();
}

void block::abandon(lane& l) noexcept {
  l.state = lane_state::abandoned;
  leave(l);
  __builtin_unreachable();
}

void block::make_ready(lane& l) {
  if constexpr (checking) check::scheduler::instance().ready(l);
}

void* block::shared_variable(lane& l, shared_key const& key) noexcept {
  if (void* const memory = shared_.find(key)) return memory;
  launch_->fail(errc::invalid_argument,
                "out of shared memory in block " + name() + ": a variable of " + std::to_string(key.bytes) +
                    " bytes beside the " + std::to_string(shared_.used()) +
                    " in use (dynamic shared memory included); a block has " + std::to_string(shared_bytes_per_block));
  abandon(l);
}

// Fisher and Yates.
void block::shuffle_queue() noexcept {
  for (std::size_t i = queue_.size(); i > 1; --i) std::swap(queue_[i - 1], queue_[next_random(random_) % i]);
}

std::shared_ptr<launch_state> block::end() {
  if (launch_->wants_report()) launch_->report(who_waits());
  for (lane& l : lanes_)
    if (l.stack) owner_->stacks().give_back(l.stack);
  shared_.end();
  if constexpr (checking) check::block_ends(*this);
  lanes_.clear();
  if (cluster_) launch_->leave_cluster(*cluster_);
  cluster_.reset();
  return std::move(launch_);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
