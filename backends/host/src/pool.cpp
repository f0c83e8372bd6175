#include "pool.hpp"

#include <algorithm>
#include <utility>

#include "check/checking.hpp"
#include "check/engine.hpp"
#include "check/findings.hpp"
#include "stream.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

using clock = std::chrono::steady_clock;

// How often the watchdog looks, and how long nothing must have happened. Lanes that wait in the executor cannot go on
// by themselves; one that reads in a loop of its own may have a bound to it, and gets the benefit of the doubt: a
// longer time, and so many reads, because on a busy machine the time says little.
constexpr std::chrono::milliseconds watch_interval{25};
constexpr std::chrono::milliseconds patience_with_waits{200};
constexpr std::chrono::milliseconds patience_with_loops{500};
constexpr std::uint64_t most_reads_of_a_loop = 250'000;

std::atomic<std::uint64_t> host_progress{0};

}  // namespace

void note_progress_of_the_host() noexcept { host_progress.fetch_add(1, std::memory_order_relaxed); }

std::uint64_t progress_of_the_host() noexcept { return host_progress.load(std::memory_order_relaxed); }

pool& pool::instance() {
  static pool the_pool;
  return the_pool;
}

pool::~pool() {
  // Work that nobody has waited for goes on to its end, as it does on a GPU; the watchdog sees to it that there is one.
  for (auto const& s : streams()) s->wait_until_idle();
  {
    std::lock_guard const lock(mutex_);
    stop_ = true;
  }
  wake_watchdog_.notify_one();
  if (watchdog_.joinable()) watchdog_.join();
  workers_.clear();
}

void pool::start(std::shared_ptr<launch_state> launch) {
  std::lock_guard const lock(mutex_);
  // In check mode the scheduler sees by itself when nobody gets on.
  if (!checking && !watchdog_.joinable()) watchdog_ = std::thread([this] { watch(); });
  unsigned const resident = std::min(launch->how.resident_blocks, launch->blocks);
  unsigned parts = std::min(launch->how.workers, resident);
  bool const one_thread = std::ranges::all_of(running_, [](auto const& l) { return l->workers == 1; });
  if (launch->how.workers == 1 && one_thread) launch->scope_of_one_thread = thread_scope::device;
  // A launch that has been told that there is one thread must not be joined on another.
  if (std::ranges::any_of(running_, [](auto const& l) { return l->scope_of_one_thread == thread_scope::device; }))
    parts = 1;
  launch->workers = parts;
  while (workers_.size() < parts) workers_.push_back(std::make_unique<worker>(*this));
  running_.push_back(launch);
  // The shares add up to `resident`, so that a grid that fits is resident as a whole, whoever is first.
  for (unsigned i = 0; i < parts; ++i)
    workers_[i]->take_part(launch, resident / parts + (i < resident % parts ? 1 : 0));
  if (watchdog_sleeps_) wake_watchdog_.notify_one();
}

void pool::end(std::shared_ptr<launch_state> const& launch) {
  {
    std::lock_guard const lock(mutex_);
    std::erase(running_, launch);
  }
  if constexpr (checking) {
    check::launch_ends(*launch);
    check::tell_findings(launch->how);
  }
  launch->complete();
}

void pool::add(std::shared_ptr<stream> s) {
  std::lock_guard const lock(mutex_);
  stream* const key = s.get();
  streams_.emplace(key, std::move(s));
}

void pool::remove(stream* s) {
  std::shared_ptr<stream> last;  // dies after the lock
  std::lock_guard const lock(mutex_);
  if (auto const found = streams_.find(s); found != streams_.end()) {
    last = std::move(found->second);
    streams_.erase(found);
  }
}

std::vector<std::shared_ptr<stream>> pool::streams() {
  std::lock_guard const lock(mutex_);
  std::vector<std::shared_ptr<stream>> result;
  for (auto const& [key, s] : streams_) result.push_back(s);
  return result;
}

// Deadlock: every resident lane of every launch waits, and nothing that any of them reads can still change. Lanes are
// asked, not interrupted: the watchdog raises the number of its inquiry, and a worker that has since passed over all
// its lanes and found each of them waiting or repeating its reads answers with that number. A worker that is busy in
// one lane does not answer. The running launches are ended when nothing has made progress for long enough, and all
// workers have then answered once more.
void pool::watch() {
  std::unique_lock lock(mutex_);
  std::uint64_t last_progress = 0, repetitions_before = 0;
  clock::time_point quiet_from = clock::now(), asked_at = quiet_from;
  while (!stop_) {
    if (running_.empty()) {
      watchdog_sleeps_ = true;
      wake_watchdog_.wait(lock, [this] { return stop_ || !running_.empty(); });
      watchdog_sleeps_ = false;
      quiet_from = clock::now();
    }
    wake_watchdog_.wait_for(lock, watch_interval, [this] { return stop_; });
    wait_kind kind = wait_kind::in_executor;
    bool const answered = all_quiet(kind);
    std::uint64_t const progress = progress_so_far();  // after the answers, which then hold for it
    std::uint64_t const repetitions = repetitions_so_far();
    clock::time_point const now = clock::now();
    if (progress != last_progress) {
      last_progress = progress;
      repetitions_before = repetitions;
      quiet_from = now;
    } else if (!answered) {
      continue;
    } else {
      std::chrono::milliseconds patience = kind == wait_kind::in_executor ? patience_with_waits : patience_with_loops;
      if (kind == wait_kind::for_host)
        for (auto const& l : running_) patience = std::max(patience, l->how.watchdog);
      bool const may_be_bounded =
          kind == wait_kind::in_loop && repetitions - repetitions_before < most_reads_of_a_loop;
      if (asked_at - quiet_from >= patience && !may_be_bounded) {
        for (auto const& l : running_) l->fail_deadlocked();
        quiet_from = now;
      }
    }
    asked_at = now;
    inquiry_.fetch_add(1, std::memory_order_acq_rel);
  }
}

// Whether all workers that hold blocks have answered the last inquiry, and what the lanes wait for.
bool pool::all_quiet(wait_kind& kind) {
  std::uint64_t const asked = inquiry_.load(std::memory_order_relaxed);
  for (auto const& w : workers_) {
    if (!w->active()) continue;
    if (w->quiet_since_inquiry() != asked) return false;
    kind = std::max(kind, w->wait());
  }
  return true;
}

std::uint64_t pool::progress_so_far() {
  std::uint64_t sum = host_progress.load(std::memory_order_relaxed);
  for (auto const& w : workers_) sum += w->progress();
  return sum;
}

std::uint64_t pool::repetitions_so_far() {
  std::uint64_t sum = 0;
  for (auto const& w : workers_) sum += w->repetitions();
  return sum;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
