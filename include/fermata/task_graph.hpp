// From tasks and what they need to the events of <fermata/task_event.hpp>. Plain C++, for the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <fermata/detail/config.hpp>
#include <fermata/error.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Collects tasks and edges; plan() finds as few events as a kernel needs whose tasks wait for at most one event and
// trigger at most one:
//
//   fused      tasks that need the same set of others wait for one event, which those others trigger: n tasks that all
//              need the same m tasks are n * m edges and one event of m triggers.
//   redundant  an edge that other edges imply is dropped: what a task has waited for is visible to those who wait for
//              it.
//   relays     a task whose output two events need triggers one of its own; for each of the two an extra step waits for
//              that one and triggers the other. A relay does no work; one thread does it.
//
// Cost   size()^2 bits of memory, and for each edge that is kept size() steps, once, on the host.
// Errors errc::invalid_argument for a task that was never added, and for a cycle.
class task_graph {
 public:
  // No event; and no task: the step is a relay.
  static constexpr unsigned none = ~0u;

  // One task in the order of the plan; made to be uploaded as it is.
  struct step {
    unsigned task;      // what add_task() returned, or none
    unsigned awaits;    // the event to wait for before it, or none
    unsigned triggers;  // the event to trigger behind it, once, or none
  };

  // A kernel whose blocks are all resident may deal the steps out to its blocks in any way, as long as each block runs
  // its own in this order: the first step that has not been run never waits for a later one.
  struct schedule {
    std::vector<step> steps;
    std::vector<unsigned> triggers;  // how often each event is triggered, by its number
  };

  unsigned add_task() {
    before_.emplace_back();
    return static_cast<unsigned>(before_.size() - 1);
  }

  unsigned size() const noexcept { return static_cast<unsigned>(before_.size()); }

  // `after` needs what `before` does.
  void add_edge(unsigned before, unsigned after) {
    for (unsigned const task : {before, after})
      if (task >= size())
        throw error(errc::invalid_argument, "task_graph::add_edge: there is no task " + std::to_string(task) +
                                                " among " + std::to_string(size()) + "; add_task() gives the numbers");
    before_[after].push_back(before);
  }

  schedule plan() const {
    std::vector<unsigned> const order = sorted();
    std::vector<std::vector<unsigned>> const needed = without_redundant(order);

    schedule result;
    std::map<std::vector<unsigned>, unsigned> event_of;  // by its producers
    std::vector<unsigned> awaits(size(), none);
    std::vector<std::vector<unsigned>> outputs(size());
    for (unsigned const task : order) {
      if (needed[task].empty()) continue;
      auto const [event, is_new] = event_of.try_emplace(needed[task], static_cast<unsigned>(result.triggers.size()));
      awaits[task] = event->second;
      if (!is_new) continue;
      result.triggers.push_back(static_cast<unsigned>(needed[task].size()));
      for (unsigned const producer : needed[task]) outputs[producer].push_back(event->second);
    }

    for (unsigned const task : order) {
      if (outputs[task].size() < 2) {
        result.steps.push_back({task, awaits[task], outputs[task].empty() ? none : outputs[task].front()});
        continue;
      }
      unsigned const own = static_cast<unsigned>(result.triggers.size());
      result.triggers.push_back(1);
      result.steps.push_back({task, awaits[task], own});
      for (unsigned const event : outputs[task]) result.steps.push_back({none, own, event});
    }
    return result;
  }

 private:
  // All tasks, each behind those that it needs; of several possible ones the lowest number first.
  std::vector<unsigned> sorted() const {
    std::vector<std::vector<unsigned>> after(size());
    std::vector<std::size_t> missing(size());
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> free;
    for (unsigned task = 0; task < size(); ++task) {
      missing[task] = before_[task].size();
      for (unsigned const other : before_[task]) after[other].push_back(task);
      if (missing[task] == 0) free.push(task);
    }
    std::vector<unsigned> order;
    while (!free.empty()) {
      order.push_back(free.top());
      free.pop();
      for (unsigned const task : after[order.back()])
        if (--missing[task] == 0) free.push(task);
    }
    if (order.size() == size()) return order;
    auto const stuck = std::find_if(missing.begin(), missing.end(), [](std::size_t n) { return n != 0; });
    throw error(errc::invalid_argument,
                "task_graph::plan: task " + std::to_string(stuck - missing.begin()) +
                    " is part of a cycle, or needs one; such tasks wait for each other for ever");
  }

  // For each task what it needs, in ascending order, but not what another of them needs anyway.
  std::vector<std::vector<unsigned>> without_redundant(std::vector<unsigned> const& order) const {
    std::vector<std::size_t> position(size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<std::vector<bool>> ancestors(size(), std::vector<bool>(size()));
    std::vector<std::vector<unsigned>> needed(size());
    for (unsigned const task : order) {
      std::vector<unsigned> candidates = before_[task];
      // The latest first: what it needs itself stands before it.
      std::sort(candidates.begin(), candidates.end(),
                [&](unsigned a, unsigned b) { return position[a] > position[b]; });
      for (unsigned const other : candidates) {
        if (ancestors[task][other]) continue;
        needed[task].push_back(other);
        ancestors[task][other] = true;
        for (std::size_t i = 0; i < size(); ++i)
          if (ancestors[other][i]) ancestors[task][i] = true;
      }
      std::sort(needed[task].begin(), needed[task].end());
    }
    return needed;
  }

  std::vector<std::vector<unsigned>> before_;  // what each task needs
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
