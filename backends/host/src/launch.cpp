#include "launch.hpp"

#include <utility>

#include "check/checking.hpp"
#include "check/scheduler.hpp"
#include "check/structure.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

std::string to_text(dim3 const& index) {
  std::string text("(");
  text.append(std::to_string(index.x)).append(", ");
  text.append(std::to_string(index.y)).append(", ");
  return text.append(std::to_string(index.z)).append(")");
}

launch_state::launch_state(launch_request asked, settings const& chosen, completion done)
    : request(std::move(asked)),
      how(chosen),
      blocks(request.config.grid.count()),
      threads(request.config.block.count()),
      done_(std::move(done)) {}

dim3 launch_state::block_index(unsigned block) const noexcept {
  dim3 const& grid = request.config.grid;
  return dim3(block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y);
}

bool launch_state::claim(unsigned& block) {
  std::lock_guard const lock(mutex_);
  if (failed() || started_ == blocks) return false;
  block = started_++;
  return true;
}

bool launch_state::block_ended() {
  std::lock_guard const lock(mutex_);
  ++ended_;
  check_grid_barrier_locked();
  return ended_ == started_ && (failed() || started_ == blocks);
}

std::pair<unsigned, unsigned> launch_state::blocks_so_far() {
  std::lock_guard const lock(mutex_);
  return {started_, ended_};
}

void launch_state::fail(errc code, std::string message) {
  if constexpr (checking)
    if (!failed()) check::report_failure(*this, code, message);
  std::lock_guard const lock(mutex_);
  fail_locked(code, std::move(message));
}

void launch_state::fail_locked(errc code, std::string message) {
  if (failed()) return;
  code_ = code;
  message_ = std::move(message);
  failed_.store(true, std::memory_order_release);
}

// Some blocks wait at a barrier that others will never reach.
void launch_state::fail_unequal_locked(std::string message) {
  if constexpr (checking) check::report_unequal_sync(*this, message);
  fail_locked(errc::barrier_misuse, std::move(message));
}

void launch_state::fail_deadlocked() {
  std::lock_guard const lock(mutex_);
  if (failed() || started_ == ended_) return;
  std::string message = "deadlock: every resident lane waits, and nothing that any of them reads can still change. ";
  if (started_ < blocks) {
    message +=
        std::to_string(started_ - ended_) + " of " + std::to_string(blocks) + " blocks are resident, " +
        std::to_string(blocks - started_) +
        " have not started and cannot: FERMATA_HOST_RESIDENT_BLOCKS=" + std::to_string(how.resident_blocks) +
        ". Blocks that wait for each other must all be resident: use launch_cooperative, which refuses a grid that "
        "does not fit, or launch fewer blocks.";
  } else {
    message +=
        "All " + std::to_string(blocks) + " blocks have started, " + std::to_string(started_ - ended_) + " still wait.";
  }
  wants_report_.store(true, std::memory_order_release);
  fail_locked(errc::deadlock, std::move(message));
}

void launch_state::report(waiters more) {
  std::lock_guard const lock(mutex_);
  waiters_.merge(more);
}

std::optional<error> launch_state::outcome() {
  std::lock_guard const lock(mutex_);
  if (!failed()) return std::nullopt;
  constexpr std::size_t most_lines = 8;
  std::size_t lines = 0;
  for (auto const& [key, text] : waiters_) {
    if (++lines > most_lines) break;
    message_ += "\n  " + text;
  }
  if (waiters_.size() > most_lines) message_ += "\n  and " + std::to_string(waiters_.size() - most_lines) + " more";
  return error(code_, message_);
}

void launch_state::arrive_at_grid_barrier() {
  std::lock_guard const lock(mutex_);
  ++arrived_;
  check_grid_barrier_locked();
}

void launch_state::check_grid_barrier_locked() {
  if (arrived_ == 0 || arrived_ + ended_ < blocks || failed()) return;
  if (ended_ != 0) {
    fail_unequal_locked("barrier misuse: " + std::to_string(arrived_) + " blocks wait at this_grid().sync(), but " +
                        std::to_string(ended_) + " of " + std::to_string(blocks) +
                        " blocks have returned from the kernel; every block must reach it.");
    return;
  }
  arrived_ = 0;
  grid_generation_.fetch_add(1, std::memory_order_acq_rel);
  if constexpr (checking) check::scheduler::instance().wider_barrier_completed();
}

std::shared_ptr<cluster_state> launch_state::join_cluster(unsigned block) {
  unsigned const size = request.config.cluster;
  if (size == 1) return nullptr;
  std::lock_guard const lock(mutex_);
  std::shared_ptr<cluster_state>& c = clusters_[block / size];
  if (!c) c = std::make_shared<cluster_state>(block / size);
  return c;
}

void launch_state::leave_cluster(cluster_state& c) {
  std::lock_guard const lock(mutex_);
  ++c.ended;
  check_cluster_barrier_locked(c);
  if (c.ended == request.config.cluster) clusters_.erase(c.number);
}

void launch_state::arrive_at_cluster_barrier(cluster_state& c) {
  std::lock_guard const lock(mutex_);
  ++c.arrived;
  check_cluster_barrier_locked(c);
}

void launch_state::check_cluster_barrier_locked(cluster_state& c) {
  unsigned const size = request.config.cluster;
  if (c.arrived == 0 || c.arrived + c.ended < size || failed()) return;
  if (c.ended != 0) {
    fail_unequal_locked("barrier misuse: " + std::to_string(c.arrived) + " of the " + std::to_string(size) +
                        " blocks of the cluster of block " + to_text(block_index(c.number * size)) +
                        " wait at its barrier, but " + std::to_string(c.ended) +
                        " have returned from the kernel; every block of a cluster must reach it.");
    return;
  }
  c.arrived = 0;
  c.generation.fetch_add(1, std::memory_order_acq_rel);
  if constexpr (checking) check::scheduler::instance().wider_barrier_completed();
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
