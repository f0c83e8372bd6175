#include "worker.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "block.hpp"
#include "check/checking.hpp"
#include "check/scheduler.hpp"
#include "pool.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

worker::worker(pool& owner) : pool_(owner), thread_([this] { run(); }) {}

worker::~worker() {
  {
    std::lock_guard const lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void worker::take_part(std::shared_ptr<launch_state> launch, unsigned most_blocks) {
  auto p = std::make_unique<part>(part{std::move(launch), most_blocks});
  {
    std::lock_guard const lock(mutex_);
    inbox_.push_back(std::move(p));
    has_mail_.store(true, std::memory_order_release);
    active_.store(true, std::memory_order_release);
  }
  wake_.notify_one();
}

void worker::run() {
  while (wait_for_work()) {
    start_blocks();
    if constexpr (checking)
      checked_pass();
    else
      pass();
  }
}

// False when the worker shall end.
bool worker::wait_for_work() {
  bool const idle = resident_.empty() && parts_.empty();
  if (!idle && !has_mail_.load(std::memory_order_acquire)) return true;
  std::unique_lock lock(mutex_);
  if (idle && inbox_.empty()) {
    active_.store(false, std::memory_order_release);
    wake_.wait(lock, [this] { return stop_ || !inbox_.empty(); });
    if (inbox_.empty()) return false;
  }
  std::move(inbox_.begin(), inbox_.end(), std::back_inserter(parts_));
  inbox_.clear();
  has_mail_.store(false, std::memory_order_relaxed);
  idle_passes_ = 0;
  return true;
}

void worker::start_blocks() {
  for (auto& p : parts_) {
    while (!p->exhausted && p->resident < p->most_blocks) {
      unsigned number;
      if (!p->launch->claim(number)) {
        p->exhausted = true;
        break;
      }
      note_progress();
      try {
        if (spare_blocks_.empty()) spare_blocks_.push_back(std::make_unique<host::block>());
        resident_.reserve(resident_.size() + 1);
        spare_blocks_.reserve(resident_.size() + 1);
        spare_blocks_.back()->start(*this, p->launch, number);
      } catch (std::exception const& e) {
        p->launch->fail(errc::out_of_memory, std::string("no memory for a block: ") + e.what());
        if (p->launch->block_ended()) pool_.end(p->launch);
        continue;
      }
      resident_.push_back({std::move(spare_blocks_.back()), p.get()});
      if constexpr (checking) check::scheduler::instance().block_started(*resident_.back().block);
      spare_blocks_.pop_back();
      ++p->resident;
    }
  }
  std::erase_if(parts_, [](auto const& p) { return p->exhausted && p->resident == 0; });
}

// Every resident block gets its turns. A block that gets on keeps them for a while: its lanes are in the cache.
void worker::pass() {
  constexpr unsigned most_turns = 32, turns_of_a_long_one = 4;
  std::uint64_t const inquiry = pool_.inquiry();
  bool advanced = false, again = false, ran = false;
  std::uint64_t repetitions = 0;
  wait_kind wait = wait_kind::in_executor;
  for (std::size_t i = 0; i < resident_.size();) {
    host::block& b = *resident_[i].block;
    turn t;
    for (unsigned n = 0; n < most_turns && !b.launch().failed() && !b.finished();) {
      t = b.take_turn();
      n += t.took_long ? turns_of_a_long_one : 1;
      advanced |= t.advanced;
      again |= t.again;
      ran |= t.ran;
      repetitions += t.repetitions;
      if (!t.again) break;
    }
    wait = std::max(wait, t.wait);
    if (b.finished() || b.launch().failed()) {
      end_block(i);
      advanced = again = true;
    } else {
      ++i;
    }
  }
  // As note_progress: the worker alone writes it.
  repetitions_.store(repetitions_.load(std::memory_order_relaxed) + repetitions, std::memory_order_relaxed);
  if (advanced) {
    note_progress();
  } else {
    wait_.store(wait, std::memory_order_relaxed);
    quiet_since_inquiry_.store(inquiry, std::memory_order_release);
  }
  if (again)
    idle_passes_ = 0;
  else
    rest(ran);
}

// As pass, but the lanes of all blocks take turns.
void worker::checked_pass() {
  if constexpr (checking) {
    if (resident_.empty()) return;
    check::scheduler& scheduler = check::scheduler::instance();
    scheduler.run(*this);
    for (std::size_t i = 0; i < resident_.size();) {
      host::block& b = *resident_[i].block;
      if (b.finished() || b.launch().failed()) {
        scheduler.block_ended(b);
        end_block(i);
      } else {
        ++i;
      }
    }
  }
}

void worker::end_block(std::size_t place) {
  resident_block r = std::move(resident_[place]);
  resident_[place] = std::move(resident_.back());
  resident_.pop_back();
  --r.of->resident;
  std::shared_ptr<launch_state> const launch = r.block->end();
  spare_blocks_.push_back(std::move(r.block));
  note_progress();
  if (launch->block_ended()) pool_.end(launch);
}

// Nothing to do but to look again: leaves the core to others, and sleeps when that has been in vain for long. Less so
// while lanes run in loops of their own, which may be bounded: for them it would be a slow machine, not an idle one.
void worker::rest(bool lanes_ran) {
  constexpr std::uint64_t spins = 100, yields = 4000, passes_a_yield = 64;
  ++idle_passes_;
  if (idle_passes_ < spins) return;
  if (lanes_ran) {
    if (idle_passes_ % passes_a_yield == 0) std::this_thread::yield();
  } else if (idle_passes_ < yields) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
