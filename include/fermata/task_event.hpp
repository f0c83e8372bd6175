// Events of a task graph that one persistent kernel runs: some tasks trigger, others wait.
//
// Idea: Mirage MPK (arXiv 2512.22219), whose tasks wait for at most one event and trigger at most one.
// <fermata/task_graph.hpp> brings a graph into that form and says how often each event is triggered.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/counter.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Happens in every iteration when it has been triggered as often as it was told. Any number of tasks may wait for it.
//
// Order, precondition of a wait, cost and what it emits are those of counter: trigger releases, await and a successful
// ready acquire.
// Again   iterations count from 1, and nothing is reset between them: the event of iteration i happens at i times its
//         triggers. Pre: a task triggers in iteration i + 1 only when the event of iteration i has happened; else its
//         trigger would be taken for that of a task which is late. Where the first tasks of an iteration wait for the
//         last event of the one before, that is so.
// Wraps   safely, as counter: a waiter and the triggers may be 2^31 - 1 triggers apart.
// Life    trivial; a buffer of them is uploaded from the host, where they are made. One event is 8 bytes: give each
//         one that blocks poll at the same time a line of its own, alignas(128).
// Errors  none at run time on a GPU: an event that is triggered too seldom is waited for for ever. The host backend
//         reports errc::deadlock.
template <thread_scope Scope = thread_scope::device>
class task_event {
 public:
  static constexpr thread_scope scope = Scope;

  task_event() = default;

  // An event, not triggered yet, that takes so many triggers in each iteration; with 0 it has always happened.
  FERMATA_FN constexpr explicit task_event(std::uint32_t triggers) noexcept : count_(), triggers_(triggers) {}

  FERMATA_FN constexpr std::uint32_t triggers() const noexcept { return triggers_; }

  // Triggers n times, for what the calling thread did; and once for what all threads of the block did.
  // Pre of trigger_block: all threads of the block call it.
  FERMATA_DEVICE void trigger(std::uint32_t n = 1) noexcept { count_.signal(n); }
  FERMATA_DEVICE void trigger_block() noexcept { count_.signal_block(); }

  // Waits until the event of that iteration has happened; await_block: one leader for the block, all of whose threads
  // call it.
  FERMATA_DEVICE void await(std::uint32_t iteration = 1) const noexcept { count_.await(triggers_ * iteration); }
  FERMATA_DEVICE void await_block(std::uint32_t iteration = 1) const noexcept {
    count_.await_block(triggers_ * iteration);
  }

  // Whether the event of that iteration has happened; looks once.
  [[nodiscard]] FERMATA_DEVICE bool ready(std::uint32_t iteration = 1) const noexcept {
    return count_.ready(triggers_ * iteration);
  }

 private:
  counter<Scope> count_;
  std::uint32_t triggers_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
