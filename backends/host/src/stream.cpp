#include "stream.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "check/checking.hpp"
#include "check/findings.hpp"
#include "pool.hpp"
#include "recording.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

void point::queued() {
  std::lock_guard const lock(mutex_);
  ++queued_;
}

void point::reached() {
  std::lock_guard const lock(mutex_);
  --queued_;
  time_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

void point::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queued_ == 0; });
}

std::optional<std::chrono::steady_clock::time_point> point::time() {
  std::lock_guard const lock(mutex_);
  return queued_ == 0 ? time_ : std::nullopt;
}

void stream::push(operation what) {
  {
    std::lock_guard const lock(mutex_);
    if (capture_) {
      capture_->operations.push_back(std::move(what));
      return;
    }
  }
  std::vector<queued> one;
  one.push_back(prepare(std::move(what)));
  enqueue(std::move(one));
}

void stream::push(launch_request what, settings const& how) {
  std::vector<queued> one;
  one.push_back(prepare(std::move(what), how));
  enqueue(std::move(one));
}

void stream::push_all(std::vector<operation> const& what) {
  std::vector<queued> all;
  {
    std::lock_guard const lock(mutex_);
    if (capture_) {
      capture_->operations.insert(capture_->operations.end(), what.begin(), what.end());
      return;
    }
  }
  for (operation const& o : what) all.push_back(prepare(o));
  enqueue(std::move(all));
}

stream::queued stream::prepare(operation what) {
  if (auto* const fill = std::get_if<fill_request>(&what)) return *fill;
  if (auto* const record = std::get_if<record_request>(&what)) return std::move(*record);
  return prepare(std::move(std::get<launch_request>(what)), read_settings());
}

stream::queued stream::prepare(launch_request request, settings const& how) {
  if constexpr (checking) check::require_output();
  unsigned const blocks = request.config.grid.count();
  if (request.cooperative && blocks > how.resident_blocks)
    throw error(errc::too_many_blocks, "cooperative launch of " + std::to_string(blocks) + " blocks, but only " +
                                           std::to_string(how.resident_blocks) +
                                           " can be resident at once (FERMATA_HOST_RESIDENT_BLOCKS)");
  // Also at each launch of a graph, which may find other settings than its capture.
  if (request.config.cluster > how.resident_blocks)
    throw error(errc::too_many_blocks, "launch: the " + std::to_string(request.config.cluster) +
                                           " blocks of a cluster wait for each other, but only " +
                                           std::to_string(how.resident_blocks) +
                                           " can be resident at once (FERMATA_HOST_RESIDENT_BLOCKS)");
  return queued_launch{std::move(request), how};
}

void stream::enqueue(std::vector<queued> what) {
  std::unique_lock lock(mutex_);
  for (queued& q : what) {
    queue_.push_back(std::move(q));
    if (auto* const record = std::get_if<record_request>(&queue_.back())) record->where->queued();
  }
  advance(lock);
}

// Starts what is next, as long as nothing runs. Pre: the lock is held; it is held again on return.
void stream::advance(std::unique_lock<std::mutex>& lock) {
  while (!running_ && !queue_.empty()) {
    queued next = std::move(queue_.front());
    queue_.pop_front();
    running_ = true;
    lock.unlock();
    std::optional<error> failure;
    bool goes_on = false;
    if (auto* const fill = std::get_if<fill_request>(&next)) {
      std::memset(fill->memory, fill->value, fill->bytes);
      note_progress_of_the_host();
    } else if (auto* const record = std::get_if<record_request>(&next)) {
      record->where->reached();
    } else {
      auto& l = std::get<queued_launch>(next);
      try {
        auto const recording = launch_recording::begin(l.request, l.how);
        pool::instance().start(std::make_shared<launch_state>(
            std::move(l.request), l.how, [self = shared_from_this(), recording](std::optional<error> result) {
              if (recording && !result) result = recording->end();
              self->launch_ended(std::move(result));
            }));
        goes_on = true;
      } catch (std::exception const& e) {
        failure.emplace(errc::out_of_memory, std::string("cannot start a launch: ") + e.what());
      }
    }
    lock.lock();
    if (goes_on) return;  // launch_ended takes it from here; it may have done so already
    running_ = false;
    if (failure && !error_) error_ = std::move(failure);
  }
  if (!running_) idle_.notify_all();
}

void stream::launch_ended(std::optional<error> failure) {
  std::unique_lock lock(mutex_);
  running_ = false;
  if (failure && !error_) error_ = std::move(failure);
  advance(lock);
}

void stream::wait_until_idle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !running_ && queue_.empty(); });
}

void stream::synchronize(char const* caller) {
  {
    std::lock_guard const lock(mutex_);
    if (capture_)
      throw error(errc::invalid_argument, std::string(caller) + " while the stream is being captured into a graph");
  }
  wait_until_idle();
  if (std::optional<error> const failure = take_error()) throw *failure;
}

std::optional<error> stream::take_error() {
  std::lock_guard const lock(mutex_);
  return std::exchange(error_, std::nullopt);
}

void stream::capture_begin() {
  std::lock_guard const lock(mutex_);
  if (capture_) throw error(errc::invalid_argument, "graph capture: the stream is being captured already");
  capture_ = std::make_unique<graph>();
}

std::unique_ptr<graph> stream::capture_end() {
  std::lock_guard const lock(mutex_);
  return std::move(capture_);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
