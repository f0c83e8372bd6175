// Events: when they happen, iteration after iteration; graphs brought into events on the host; and random graphs run by
// blocks that wait for nothing but the events.
#include <fermata/task_graph.hpp>
#include <set>

#include "support.hpp"

namespace {

// A graph as it was meant, to compare with what is made of it.
struct edges {
  unsigned tasks;
  std::vector<std::pair<unsigned, unsigned>> pairs;

  fm::task_graph graph() const {
    fm::task_graph g;
    for (unsigned task = 0; task < tasks; ++task) CHECK(g.add_task() == task);
    for (auto const& [before, after] : pairs) g.add_edge(before, after);
    return g;
  }
};

// Each task needs some of those that `order` puts before it.
edges random_edges(unsigned tasks, unsigned density, std::uint32_t seed) {
  std::vector<unsigned> order(tasks);
  for (unsigned i = 0; i < tasks; ++i) order[i] = i;
  for (unsigned i = tasks; i > 1; --i) std::swap(order[i - 1], order[test::mix(seed * 977 + i) % i]);
  edges result{tasks, {}};
  for (unsigned later = 1; later < tasks; ++later)
    for (unsigned earlier = 0; earlier < later; ++earlier)
      if (test::mix(seed * 7919 + later * tasks + earlier) % 100 < density)
        result.pairs.emplace_back(order[earlier], order[later]);
  return result;
}

// Runs the steps one after the other in an order that the events allow and that is as wild as possible.
// Returns what is wrong with them.
std::string simulate(edges const& meant, fm::task_graph::schedule const& plan, std::uint32_t seed) {
  std::vector<unsigned> seen(plan.triggers.size()), runs(meant.tasks);
  std::vector<bool> done(plan.steps.size());
  for (std::size_t left = plan.steps.size(); left > 0; --left) {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      unsigned const event = plan.steps[i].awaits;
      if (!done[i] && (event == fm::task_graph::none || seen.at(event) >= plan.triggers[event])) ready.push_back(i);
    }
    if (ready.empty()) return "nothing can run any more";
    std::size_t const next = ready[test::mix(seed + static_cast<std::uint32_t>(left)) % ready.size()];
    fm::task_graph::step const& step = plan.steps[next];
    done[next] = true;
    if (step.task != fm::task_graph::none) {
      ++runs.at(step.task);
      for (auto const& [before, after] : meant.pairs)
        if (after == step.task && runs[before] == 0)
          return "task " + std::to_string(after) + " ran before task " + std::to_string(before);
    }
    if (step.triggers != fm::task_graph::none) ++seen.at(step.triggers);
  }
  if (seen != plan.triggers) return "an event is triggered as often as it does not say";
  for (unsigned const n : runs)
    if (n != 1) return "a task does not run once";
  return "";
}

// Whether each step stands behind those that trigger its event.
bool in_order(fm::task_graph::schedule const& plan) {
  std::vector<unsigned> seen(plan.triggers.size());
  for (fm::task_graph::step const& step : plan.steps) {
    if (step.awaits != fm::task_graph::none && seen[step.awaits] != plan.triggers[step.awaits]) return false;
    if (step.triggers != fm::task_graph::none) ++seen[step.triggers];
  }
  return true;
}

FERMATA_KERNEL trigger_by_one_thread(fm::task_event<>* event, unsigned* wrong) {
  unsigned mismatches = 0;
  unsigned const triggers = event->triggers();
  mismatches += event->ready();
  for (unsigned iteration = 1; iteration <= 9; ++iteration) {
    mismatches += event->ready(iteration);
    event->trigger(triggers - 1);
    mismatches += event->ready(iteration);
    event->trigger();
    event->await(iteration);
    mismatches += !event->ready(iteration) || event->ready(iteration + 1);
  }
  *wrong = mismatches;
}

FERMATA_KERNEL await_nothing(fm::task_event<>* event, unsigned* wrong) {
  event->await();
  event->await(1000);
  *wrong = !event->ready(7);
}

// An event on a line of its own.
struct alignas(128) slot {
  fm::task_event<> event;
};

struct graph_on_device {
  fm::task_graph::step const* steps;
  unsigned const* first_needed;  // of task t: needed[first_needed[t]] up to needed[first_needed[t + 1]]
  unsigned const* needed;
  unsigned count, last_task;
};

FERMATA_FN unsigned own_value(unsigned task, unsigned iteration, unsigned thread) {
  return test::mix(task * 4099 + iteration * 131 + thread);
}

// Steps are dealt out to the blocks one by one. The first step of an iteration waits for the end of the one before,
// which `finished` tells; the values of the iterations lie in the same place.
FERMATA_KERNEL run_graph(graph_on_device graph, slot* events, slot* finished, unsigned* values, unsigned iterations) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned iteration = 1; iteration <= iterations; ++iteration)
    for (unsigned i = block; i < graph.count; i += blocks) {
      fm::task_graph::step const step = graph.steps[i];
      if (step.awaits != fm::task_graph::none)
        events[step.awaits].event.await_block(iteration);
      else if (iteration > 1)
        finished->event.await_block(iteration - 1);
      if (step.task != fm::task_graph::none) {
        unsigned sum = own_value(step.task, iteration, rank);
        for (unsigned n = graph.first_needed[step.task]; n < graph.first_needed[step.task + 1]; ++n)
          sum += values[graph.needed[n] * threads + (rank + 41) % threads];
        values[step.task * threads + rank] = sum;
      }
      if (step.triggers != fm::task_graph::none) events[step.triggers].event.trigger_block();
      if (step.task == graph.last_task) finished->event.trigger_block();
    }
}

// All tasks of a random graph, between a first and a last one.
void check_run(unsigned blocks, unsigned threads, unsigned tasks, unsigned density, std::uint32_t seed) {
  CAPTURE(blocks);
  CAPTURE(threads);
  CAPTURE(seed);
  constexpr unsigned iterations = 5;
  edges meant = random_edges(tasks, density, seed);
  for (unsigned task = 0; task < tasks; ++task) meant.pairs.emplace_back(task, tasks);
  meant.tasks = tasks + 1;
  fm::task_graph::schedule const plan = meant.graph().plan();

  std::vector<unsigned> first_needed, needed;
  for (unsigned task = 0; task < meant.tasks; ++task) {
    first_needed.push_back(static_cast<unsigned>(needed.size()));
    for (auto const& [before, after] : meant.pairs)
      if (after == task) needed.push_back(before);
  }
  first_needed.push_back(static_cast<unsigned>(needed.size()));
  std::vector<slot> slots;
  for (unsigned const triggers : plan.triggers) slots.push_back({fm::task_event<>(triggers)});

  auto const steps = test::uploaded(plan.steps);
  auto const first_on_device = test::uploaded(first_needed), needed_on_device = test::uploaded(needed);
  auto events = test::uploaded(slots), finished = test::uploaded(std::vector<slot>{{fm::task_event<>(1)}});
  auto values = test::filled<unsigned>(meant.tasks * threads, 0xCD);
  test::run_cooperative({blocks, threads}, run_graph,
                        graph_on_device{steps.data(), first_on_device.data(), needed_on_device.data(),
                                        static_cast<unsigned>(plan.steps.size()), tasks},
                        events.data(), finished.data(), values.data(), iterations);

  std::vector<unsigned> want(meant.tasks * threads);
  for (fm::task_graph::step const& step : plan.steps) {
    if (step.task == fm::task_graph::none) continue;
    for (unsigned rank = 0; rank < threads; ++rank) {
      unsigned sum = own_value(step.task, iterations, rank);
      for (unsigned n = first_needed[step.task]; n < first_needed[step.task + 1]; ++n)
        sum += want[needed[n] * threads + (rank + 41) % threads];
      want[step.task * threads + rank] = sum;
    }
  }
  CHECK(test::difference(values, want) == "");
}

}  // namespace

TEST_SUITE("task_event") {
  TEST_CASE("an event happens with its last trigger, in every iteration") {
    for (unsigned triggers : {1u, 3u, 0x40000000u, 0x7FFFFFFFu}) {  // the two last go around the end of the count
      CAPTURE(triggers);
      auto event = test::uploaded(std::vector<fm::task_event<>>{fm::task_event<>(triggers)});
      auto wrong = test::filled<unsigned>(1, 0xFF);
      test::run({1, 1}, trigger_by_one_thread, event.data(), wrong.data());
      CHECK(test::downloaded(wrong)[0] == 0);
    }
  }

  TEST_CASE("an event that nobody triggers has always happened") {
    auto event = test::uploaded(std::vector<fm::task_event<>>{fm::task_event<>(0)});
    auto wrong = test::filled<unsigned>(1, 0xFF);
    test::run({1, 1}, await_nothing, event.data(), wrong.data());
    CHECK(test::downloaded(wrong)[0] == 0);
  }

  TEST_CASE("tasks that need the same set share an event") {
    edges all_to_all{9, {}};
    for (unsigned before : {0u, 1u, 2u, 3u})
      for (unsigned after : {4u, 5u, 6u, 7u, 8u}) all_to_all.pairs.emplace_back(before, after);
    fm::task_graph::schedule const plan = all_to_all.graph().plan();
    CHECK(plan.steps.size() == 9);
    CHECK(plan.triggers == std::vector<unsigned>{4});
    CHECK(simulate(all_to_all, plan, 1) == "");
  }

  TEST_CASE("what other edges imply is not waited for") {
    edges const chain{4, {{0, 1}, {1, 2}, {2, 3}, {0, 2}, {0, 3}, {1, 3}, {0, 1}}};
    fm::task_graph::schedule const plan = chain.graph().plan();
    CHECK(plan.steps.size() == 4);
    CHECK(plan.triggers == std::vector<unsigned>{1, 1, 1});
    CHECK(simulate(chain, plan, 1) == "");
  }

  TEST_CASE("a task for two events passes them on by relays") {
    // 0 is needed by 2 alone and with 1 by 3.
    edges const fork{4, {{0, 2}, {0, 3}, {1, 3}}};
    fm::task_graph::schedule const plan = fork.graph().plan();
    CHECK(plan.steps.size() == 6);
    CHECK(plan.triggers.size() == 3);
    CHECK(std::count_if(plan.steps.begin(), plan.steps.end(),
                        [](auto const& step) { return step.task == fm::task_graph::none; }) == 2);
    CHECK(simulate(fork, plan, 1) == "");
  }

  TEST_CASE("random graphs: every order that the events allow is right") {
    for (std::uint32_t seed = 1; seed <= 40; ++seed)
      for (unsigned density : {0u, 3u, 20u, 90u}) {
        CAPTURE(seed);
        CAPTURE(density);
        edges const meant = random_edges(1 + seed % 25, density, seed);
        fm::task_graph::schedule const plan = meant.graph().plan();
        CHECK(in_order(plan));
        CHECK(simulate(meant, plan, seed) == "");
        // Two steps that wait for the same set of triggers would be two events for one.
        std::set<std::set<std::size_t>> producers;
        for (unsigned event = 0; event < plan.triggers.size(); ++event) {
          std::set<std::size_t> of_event;
          for (std::size_t i = 0; i < plan.steps.size(); ++i)
            if (plan.steps[i].triggers == event) of_event.insert(i);
          CHECK(producers.insert(of_event).second);
        }
      }
    CHECK(fm::task_graph().plan().steps.empty());
  }

  TEST_CASE("what cannot be run is refused") {
    edges const cycle{4, {{0, 1}, {1, 2}, {2, 3}, {3, 1}}};
    test::caught const found = test::error_of([&] { return cycle.graph().plan(); });
    CHECK(found.code == fm::errc::invalid_argument);
    CHECK(found.mentions("task 1 is part of a cycle"));
    CHECK(test::error_of([] { return edges{1, {{0, 0}}}.graph().plan(); }).mentions("cycle"));
    test::caught const unknown = test::error_of([] { return edges{2, {{0, 2}}}.graph(); });
    CHECK(unknown.code == fm::errc::invalid_argument);
    CHECK(unknown.mentions("there is no task 2 among 2"));
  }

  TEST_CASE("random graphs, run again and again by resident blocks") {
    std::uint32_t seed = 100;
    for (unsigned blocks : {1u, 2u, 5u})
      for (unsigned threads : {33u, 96u})
        for (unsigned density : {4u, 30u}) check_run(blocks, threads, 24, density, ++seed);
  }
}
