// A graph of tasks in one persistent kernel: each task waits for one event and triggers one.
//
// The work is to bring a list of numbers to a mean of zero, tile by tile:
//
//   sum of tile 0 ─┐           ┌─ shift tile 0
//   sum of tile 1 ─┼─ mean ────┼─ shift tile 1        and again, on what has come out
//   …              ┘           └─ …
//
// Before the kernel runs, fm::task_graph makes events of the edges: those on the left are one event, triggered by every
// tile and waited for by one task; those on the right one more, the other way round. Blocks take their tasks from a
// schedule made in advance.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fermata/fermata.hpp>
#include <vector>

namespace fm = fermata;

constexpr unsigned tiles = 24, per_tile = 500, iterations = 4, threads = 128;

// What task t does is told by its number: the sums, the mean, the shifts; last of all one that waits for them.
constexpr unsigned mean_task = tiles, first_shift = tiles + 1, last_task = first_shift + tiles;

// Events that different blocks poll stand on lines of their own.
struct alignas(128) slot {
  fm::task_event<> event;
};

struct tables {
  fm::task_graph::step const* steps;
  unsigned count;
  slot* events;
  slot* finished;  // the last task's, for the first tasks of the next iteration
};

FERMATA_DEVICE void do_task(unsigned task, std::int32_t* numbers, std::int32_t* sums, std::int32_t* mean,
                            unsigned iteration) {
  unsigned const rank = fm::this_block().thread_rank();
  if (task < tiles) {
    std::int32_t sum = 0;
    for (unsigned i = rank; i < per_tile; i += threads) sum += numbers[task * per_tile + i];
    sum = fm::block_reduce(sum, fm::plus{});
    if (rank == 0) sums[task] = sum;
  } else if (task == mean_task) {
    std::int32_t const sum = fm::block_reduce(rank < tiles ? sums[rank] : 0, fm::plus{});
    if (rank == 0) *mean = sum / static_cast<std::int32_t>(tiles * per_tile);
  } else if (task < last_task) {
    for (unsigned i = rank; i < per_tile; i += threads) {
      std::int32_t& number = numbers[(task - first_shift) * per_tile + i];
      number = (number - *mean) * static_cast<std::int32_t>(iteration + 1);
    }
  }
}

FERMATA_KERNEL run(tables t, std::int32_t* numbers, std::int32_t* sums, std::int32_t* mean) {
  for (unsigned iteration = 1; iteration <= iterations; ++iteration)
    for (unsigned i = fm::this_grid().block_rank(); i < t.count; i += fm::this_grid().num_blocks()) {
      fm::task_graph::step const step = t.steps[i];
      if (step.awaits != fm::task_graph::none)
        t.events[step.awaits].event.await_block(iteration);
      else if (iteration > 1)
        t.finished->event.await_block(iteration - 1);
      do_task(step.task, numbers, sums, mean, iteration);
      if (step.triggers != fm::task_graph::none) t.events[step.triggers].event.trigger_block();
      if (step.task == last_task) t.finished->event.trigger_block();
    }
}

fm::task_graph make_graph() {
  fm::task_graph graph;
  for (unsigned task = 0; task <= last_task; ++task) graph.add_task();
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.add_edge(tile, mean_task);
    graph.add_edge(tile, first_shift + tile);  // implied by the two others, and found to be
    graph.add_edge(mean_task, first_shift + tile);
    graph.add_edge(first_shift + tile, last_task);
  }
  return graph;
}

// The same on the host, in plain loops.
std::vector<std::int32_t> expected(std::vector<std::int32_t> numbers) {
  for (unsigned iteration = 1; iteration <= iterations; ++iteration) {
    std::int32_t sum = 0;
    for (std::int32_t const n : numbers) sum += n;
    std::int32_t const mean = sum / static_cast<std::int32_t>(numbers.size());
    for (std::int32_t& n : numbers) n = (n - mean) * static_cast<std::int32_t>(iteration + 1);
  }
  return numbers;
}

int main() {
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    fm::device const gpu;
    fm::stream const s(gpu);
    fm::task_graph::schedule const plan = make_graph().plan();
    std::vector<slot> events;
    for (unsigned const triggers : plan.triggers) events.push_back({fm::task_event<>(triggers)});
    std::vector<std::int32_t> start(tiles * per_tile);
    for (unsigned i = 0; i < start.size(); ++i) start[i] = static_cast<std::int32_t>(i * 2654435761u >> 22);

    fm::buffer<fm::task_graph::step> const steps(s, plan.steps);
    fm::buffer<slot> events_on_device(s, events), finished(s, std::vector<slot>{{fm::task_event<>(1)}});
    fm::buffer<std::int32_t> numbers(s, start), sums(gpu, tiles), mean(gpu, 1);

    // Blocks that wait for each other must be resident together.
    unsigned const count = static_cast<unsigned>(plan.steps.size());
    unsigned const blocks = std::min<unsigned>(fm::max_resident_blocks(gpu, run, threads), tiles);
    fm::launch_cooperative(s, {blocks, threads}, run,
                           tables{steps.data(), count, events_on_device.data(), finished.data()}, numbers.data(),
                           sums.data(), mean.data());
    s.synchronize();

    std::vector<std::int32_t> const got = numbers.download(s), want = expected(start);
    for (unsigned i = 0; i < want.size(); ++i)
      if (got[i] != want[i]) {
        std::printf("task_graph: wrong at %u: %d, expected %d\n", i, got[i], want[i]);
        return 1;
      }
    std::printf("task_graph: %u tasks and %zu events, %u times in one launch of %u blocks, all as expected\n", count,
                events.size(), iterations, blocks);
    return 0;
  } catch (fm::error const& e) {
    std::printf("task_graph: %s\n", e.what());
    return 1;
  }
}
