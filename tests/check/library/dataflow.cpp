#include "library.hpp"

#include <fermata/task_graph.hpp>
#include <stdexcept>

namespace {

// Plain data behind a counter: each block waits for the block before it, twice.
FERMATA_KERNEL counter_chain(fm::counter<>* counters, unsigned* data) {
  unsigned const block = fm::this_grid().block_rank(), rank = fm::this_block().thread_rank();
  unsigned const threads = fm::this_block().size();
  for (unsigned round = 1; round <= 2; ++round) {
    if (block != 0) counters[block - 1].await_block(round);
    unsigned* const mine = data + ((round - 1) * 4 + block) * threads;
    mine[rank] = block == 0 ? round : mine[static_cast<int>((rank + 1) % threads) - static_cast<int>(threads)] + 1;
    counters[block].signal_block();
  }
}

// One thread of each block, which polls.
FERMATA_KERNEL polled_counters(fm::counter<>* counters, unsigned* data) {
  unsigned const block = fm::this_grid().block_rank();
  if (block != 0)
    while (!counters[block - 1].ready(1)) {
    }
  data[block] = block == 0 ? 1 : data[block - 1] + 1;
  counters[block].signal();
}

// A look at a counter orders nothing, and may come at any time.
FERMATA_KERNEL looks_at_counter(fm::counter<>* count, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  if (block != 0) count->signal();
  out[block] = count->load();
}

// A counter begins anew, which barriers of the grid order.
FERMATA_KERNEL counts_anew(fm::grid_barrier<> barrier, fm::counter<>* count, unsigned* data) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned round = 0; round < 2; ++round) {
    if (block == 0) count->init();
    barrier.sync();
    if (block != 0) {
      data[block] = round + block;
      count->signal();
    } else {
      count->await(3);
      data[0] += data[1] + data[2] + data[3];
    }
    barrier.sync();
  }
}

FERMATA_KERNEL events(fm::task_event<>* event, unsigned* data, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), rank = fm::this_block().thread_rank();
  if (block != 3) {
    data[block * fm::this_block().size() + rank] = rank;
    event->trigger_block();
    return;
  }
  event->await_block();
  unsigned sum = 0;
  for (unsigned b = 0; b < 3; ++b) sum += data[b * fm::this_block().size() + (rank + 5) % fm::this_block().size()];
  out[rank] = sum;
}

// A chain of events, iteration after iteration, by one thread of each block, which polls: the first one waits for the
// last event of the iteration before.
FERMATA_KERNEL event_chain(fm::task_event<>* events, unsigned* data) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  for (unsigned iteration = 1; iteration <= 3; ++iteration) {
    unsigned const before = (block + blocks - 1) % blocks, of = block == 0 ? iteration - 1 : iteration;
    while (!events[before].ready(of)) {
    }
    data[block] = data[before] + 1;
    events[block].trigger();
  }
  if (block == blocks - 1 && data[block] != 3 * blocks) throw std::runtime_error("a link is missing");
}

// The steps of a graph, dealt out to the blocks one by one; each task adds up what those have that it needs.
struct graph_tables {
  fm::task_graph::step const* steps;
  unsigned const* needs;  // of task t those whose bits are set
  unsigned count, last_task;
};
FERMATA_KERNEL graph_steps(graph_tables graph, fm::task_event<>* events, fm::task_event<>* finished, unsigned* values) {
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned iteration = 1; iteration <= 2; ++iteration)
    for (unsigned i = fm::this_grid().block_rank(); i < graph.count; i += fm::this_grid().num_blocks()) {
      auto const [task, awaits, triggers] = graph.steps[i];
      if (awaits != fm::task_graph::none)
        events[awaits].await_block(iteration);
      else if (iteration > 1)
        finished->await_block(iteration - 1);
      if (task != fm::task_graph::none) {
        unsigned sum = iteration;
        for (unsigned other = 0; other < task; ++other)
          if ((graph.needs[task] >> other & 1) != 0) sum += values[other * threads + (rank + 1) % threads];
        values[task * threads + rank] = sum;
      }
      if (triggers != fm::task_graph::none) events[triggers].trigger_block();
      if (task == graph.last_task) finished->trigger_block();
    }
}

// A ring of values: each block publishes to its right, awaits its left and empties its slot, which a barrier of the
// grid orders before the next round.
FERMATA_KERNEL sentinel_ring(fm::grid_barrier<> barrier, fm::sentinel<float>* slots, float* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  bool const leads = fm::this_block().thread_rank() == 0;
  for (unsigned round = 0; round < 2; ++round) {
    if (leads) slots[(block + 1) % blocks].publish(static_cast<float>(round * blocks + block));
    if (leads) out[block] += slots[block].await();
    barrier.sync();
    if (leads) slots[block].reset();
    barrier.sync();
  }
}

// The same with a slot for each round, and by looking.
FERMATA_KERNEL polled_sentinels(fm::sentinel<double>* slots, double* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  for (unsigned round = 0; round < 2; ++round) {
    slots[round * blocks + (block + 1) % blocks].publish(round + block);
    while (!slots[round * blocks + block].ready()) {
    }
    out[block] += slots[round * blocks + block].await();
  }
}

FERMATA_KERNEL polled_flagged(fm::flagged<unsigned>* slots, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  for (unsigned round = 1; round <= 2; ++round) {
    slots[round * blocks + (block + 1) % blocks].publish(block, round);
    while (!slots[round * blocks + block].ready(round)) {
    }
    out[block] += slots[round * blocks + block].await(round);
  }
}

FERMATA_KERNEL flagged_ring(fm::flagged<unsigned>* slots, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  if (fm::this_block().thread_rank() != 0) return;
  for (unsigned round = 1; round <= 3; ++round) {
    // A slot for each round: nothing tells the writer that the reader is through with the last one.
    slots[round * blocks + (block + 1) % blocks].publish(block, round);
    out[block] += slots[round * blocks + block].await(round);
  }
}

template <class Exchange>
FERMATA_KERNEL gathered(Exchange exchange, float* sums, unsigned steps, bool singly) {
  auto view = exchange.open();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  float sum = 0;
  for (unsigned step = 0; step < steps; ++step) {
    auto const value = [&](unsigned i) { return static_cast<float>(i * 2 + step * 64); };
    if (singly)
      for (unsigned i = view.first_own() + rank; i < view.last_own(); i += threads) view.publish(i, value(i));
    else
      view.publish(value);
    bool right = true;
    view.await_all([&](unsigned i, float seen) {
      right = right && seen == value(i);
      sum += seen;
    });
    if (!right) throw std::runtime_error("a value of another step");
    view.advance();
  }
  sums[fm::this_grid().thread_rank()] = sum;
}

template <class Protocol>
void check_exchange(unsigned steps, bool singly = false, unsigned values = 24) {
  library::stays_clean([=](fm::stream const& s) {
    struct state {
      fm::exchange_storage<float, Protocol> storage;
      fm::buffer<float> sums;
    };
    auto const m = std::make_shared<state>(
        state{fm::exchange_storage<float, Protocol>(s.device(), 3, values), library::zeros<float>(s, 3 * 33)});
    return [=] {
      return fm::check(gathered<fm::exchange<float, Protocol>>, {3, 33}, m->storage.handle(), m->sums.data(), steps,
                       singly)
          .cooperative();
    };
  });
}

template <class Slot, class T>
void on_slots(void (*kernel)(Slot*, T*), unsigned slots) {
  library::stays_clean([=](fm::stream const& s) {
    auto const all = std::make_shared<fm::buffer<Slot>>(s, std::vector<Slot>(slots));
    auto const out = std::make_shared<fm::buffer<T>>(library::zeros<T>(s, 4));
    return [=] { return fm::check(kernel, {4, 1}, all->data(), out->data()); };
  });
}

FERMATA_KERNEL last_one_adds(std::uint32_t* arrived, unsigned* data, unsigned* sum) {
  unsigned const block = fm::this_grid().block_rank(), rank = fm::this_block().thread_rank();
  unsigned const threads = fm::this_block().size();
  data[block * threads + rank] = rank;
  if (!fm::last_block(*arrived)) return;
  if (rank != 0) return;
  unsigned all = 0;
  for (unsigned i = 0; i < 4 * threads; ++i) all += data[i];
  *sum = all;
}

// Of two fences the narrow one gives nothing; the other one holds all the same.
FERMATA_KERNEL narrow_acquire_first(unsigned* flag, unsigned* data, unsigned* out) {
  fm::device_atomic_ref<unsigned> const there(*flag);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    there.store(1, fm::memory_order_release);
  } else {
    while (there.load(fm::memory_order_relaxed) == 0) {
    }
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_block);
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    *out = *data;
  }
}

FERMATA_KERNEL narrow_release_last(unsigned* flag, unsigned* data, unsigned* out) {
  fm::device_atomic_ref<unsigned> const there(*flag);
  if (fm::this_grid().block_rank() == 0) {
    *data = 42;
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_block);
    there.store(1, fm::memory_order_relaxed);
  } else {
    while (there.load(fm::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

}  // namespace

TEST_SUITE_BEGIN("dataflow");

TEST_CASE("two acquire fences, the narrow one first") {
  library::stays_clean([](fm::stream const& s) {
    auto const b = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 3));
    return [=] { return fm::check(narrow_acquire_first, {2, 1}, b->data(), b->data() + 1, b->data() + 2); };
  });
}

TEST_CASE("two release fences, the narrow one last") {
  library::stays_clean([](fm::stream const& s) {
    auto const b = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 3));
    return [=] { return fm::check(narrow_release_last, {2, 1}, b->data(), b->data() + 1, b->data() + 2); };
  });
}

TEST_CASE("counter") {
  library::stays_clean([](fm::stream const& s) {
    auto const counters = std::make_shared<fm::buffer<fm::counter<>>>(s, std::vector<fm::counter<>>(4));
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 2 * 4 * 65));
    return [=] { return fm::check(counter_chain, {4, 65}, counters->data(), data->data()); };
  });
}

TEST_CASE("counter, polled") { on_slots<fm::counter<>, unsigned>(polled_counters, 4); }
TEST_CASE("counter, looked at") { on_slots<fm::counter<>, unsigned>(looks_at_counter, 1); }
TEST_CASE("counter, begun anew") {
  library::stays_clean([](fm::stream const& s) {
    auto const count = std::make_shared<fm::buffer<fm::counter<>>>(s, std::vector<fm::counter<>>(1));
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 4));
    auto const storage = std::make_shared<fm::grid_barrier_storage<>>(s.device());
    return [=] {
      return fm::check(counts_anew, {4, 1}, storage->barrier(), count->data(), data->data()).cooperative();
    };
  });
}
TEST_CASE("sentinel, polled") { on_slots<fm::sentinel<double>, double>(polled_sentinels, 8); }
TEST_CASE("flagged, polled") { on_slots<fm::flagged<unsigned>, unsigned>(polled_flagged, 12); }

TEST_CASE("task_event") {
  library::stays_clean([](fm::stream const& s) {
    auto const event =
        std::make_shared<fm::buffer<fm::task_event<>>>(s, std::vector<fm::task_event<>>{fm::task_event<>(3)});
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 4 * 65));
    return [=] { return fm::check(events, {4, 65}, event->data(), data->data(), data->data() + 3 * 65); };
  });
}

TEST_CASE("task_event, chained") {
  library::stays_clean([](fm::stream const& s) {
    auto const events = std::make_shared<fm::buffer<fm::task_event<>>>(s, std::vector(4, fm::task_event<>(1)));
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 4));
    return [=] { return fm::check(event_chain, {4, 1}, events->data(), data->data()); };
  });
}
TEST_CASE("task_event, of a graph") {
  // Fused, with relays of task 0, and an edge that others imply.
  std::vector<unsigned> const needs{0, 0, 0b1, 0b11, 0b1111, 0b10000};
  fm::task_graph graph;
  for (unsigned task = 0; task < needs.size(); ++task) graph.add_task();
  for (unsigned task = 0; task < needs.size(); ++task)
    for (unsigned other = 0; other < task; ++other)
      if ((needs[task] >> other & 1) != 0) graph.add_edge(other, task);
  fm::task_graph::schedule const plan = graph.plan();
  std::vector<fm::task_event<>> const events(plan.triggers.begin(), plan.triggers.end());
  library::stays_clean([&](fm::stream const& s) {
    struct state {
      fm::buffer<fm::task_graph::step> steps;
      fm::buffer<unsigned> needs;
      fm::buffer<fm::task_event<>> events, finished;
      fm::buffer<unsigned> values;
    };
    auto const m = std::make_shared<state>(state{{s, plan.steps},
                                                 {s, needs},
                                                 {s, events},
                                                 {s, std::vector{fm::task_event<>(1)}},
                                                 {s, std::vector<unsigned>(6 * 33)}});
    return [=] {
      auto const count = static_cast<unsigned>(m->steps.size());
      return fm::check(graph_steps, {3, 33}, graph_tables{m->steps.data(), m->needs.data(), count, 5}, m->events.data(),
                       m->finished.data(), m->values.data())
          .cooperative();
    };
  });
}

TEST_CASE("sentinel") {
  library::stays_clean([](fm::stream const& s) {
    auto const slots = std::make_shared<fm::buffer<fm::sentinel<float>>>(s, std::vector<fm::sentinel<float>>(4));
    auto const out = std::make_shared<fm::buffer<float>>(library::zeros<float>(s, 4));
    auto const storage = std::make_shared<fm::grid_barrier_storage<>>(s.device());
    return [=] {
      return fm::check(sentinel_ring, {4, 33}, storage->barrier(), slots->data(), out->data()).cooperative();
    };
  });
}

TEST_CASE("flagged") {
  library::stays_clean([](fm::stream const& s) {
    auto const slots = std::make_shared<fm::buffer<fm::flagged<unsigned>>>(s, std::vector<fm::flagged<unsigned>>(16));
    auto const out = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 4));
    return [=] { return fm::check(flagged_ring, {4, 33}, slots->data(), out->data()); };
  });
}

TEST_CASE("last_block") {
  library::stays_clean([](fm::stream const& s) {
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 4 * 65 + 2));
    return [=] {
      unsigned* const d = data->data();
      return fm::check(last_one_adds, {4, 65}, d + 4 * 65, d, d + 4 * 65 + 1);
    };
  });
}

TEST_CASE("exchange by sentinels") { check_exchange<fm::basic_sentinel_protocol<4, 1>>(6); }
TEST_CASE("exchange by sentinels, value by value") { check_exchange<fm::basic_sentinel_protocol<4, 1>>(6, true, 22); }
TEST_CASE("exchange by sentinels, the default ring") { check_exchange<fm::sentinel_protocol>(34); }
TEST_CASE("exchange by flagged words") { check_exchange<fm::flagged_protocol>(4); }
TEST_CASE("exchange by pairs of flagged words") { check_exchange<fm::basic_flagged_protocol<2>>(4); }
TEST_CASE("exchange by pairs of flagged words, value by value") {
  check_exchange<fm::basic_flagged_protocol<2>>(4, true, 23);
}
TEST_CASE("exchange by a sense bit") { check_exchange<fm::sense_bit_protocol>(5); }

TEST_SUITE_END();
