// What the host backend costs: barriers and atomics by the lane, two kernels as users write them; and, to compare with,
// the same number of barriers met by bare fibers on one thread, those of one block after the other, without waves,
// memory operations or a schedule. Linked to fermata::check it is the cost of the checker.
//
// usage: fermata-bench-executor[-checked] [Google Benchmark's options]
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "kernels.hpp"
#include "plain_fibers.hpp"

namespace {

namespace fm = fermata;
using clock_type = std::chrono::steady_clock;

struct bench_device {
  fm::device device{0};
  fm::stream stream{device};
};

bench_device& here() {
  static bench_device d;
  return d;
}

// Runs the launch once for the benchmark's iteration, as wall time.
template <class Launch>
void measure(benchmark::State& state, double operations, Launch launch) {
  double nanoseconds = 0;
  for (auto _ : state) {
    auto const start = clock_type::now();
    launch();
    here().stream.synchronize();
    std::chrono::duration<double> const took = clock_type::now() - start;
    state.SetIterationTime(took.count());
    nanoseconds += took.count() * 1e9;
  }
  // Of all cores together: so many workers share the lanes.
  state.counters["ns"] = nanoseconds / (operations * static_cast<double>(state.iterations()));
}

void barriers(benchmark::State& state) {
  auto const blocks = static_cast<unsigned>(state.range(0)), threads = 256u, count = 50u;
  measure(state, double{1} * blocks * threads * count, [&] {
    fm::launch(here().stream, {blocks, threads}, executor::barriers, count);
  });
}

template <class Ref>
void atomics(benchmark::State& state) {
  auto const blocks = static_cast<unsigned>(state.range(0)), threads = 256u, count = 200u;
  fm::buffer<unsigned> const words(here().stream, std::vector<unsigned>(std::size_t{blocks} * threads));
  measure(state, double{1} * blocks * threads * count, [&] {
    fm::launch(here().stream, {blocks, threads}, executor::atomics<Ref>, words.data(), count);
  });
}

void histogram(benchmark::State& state) {
  auto const blocks = static_cast<unsigned>(state.range(0)), threads = 256u, a_lane = 16u;
  std::vector<unsigned> keys(std::size_t{blocks} * threads * a_lane);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<unsigned>(i * 2654435761u >> 7);
  fm::buffer<unsigned> const in(here().stream, keys), counts(here().stream, std::vector<unsigned>(executor::bins));
  std::uint64_t launches = 0;
  measure(state, double(keys.size()), [&] {
    fm::launch(here().stream, {blocks, threads}, executor::histogram, in.data(), counts.data(), a_lane);
    ++launches;
  });
  std::uint64_t sum = 0;
  for (unsigned const n : counts.download(here().stream)) sum += n;
  if (sum % (std::uint64_t{1} << 32) != launches * keys.size() % (std::uint64_t{1} << 32))
    state.SkipWithError("wrong counts");
}

void reduce(benchmark::State& state) {
  auto const blocks = static_cast<unsigned>(state.range(0)), threads = 256u, a_lane = 16u;
  std::vector<unsigned> values(std::size_t{blocks} * threads * a_lane, 3);
  fm::buffer<unsigned> const in(here().stream, values), partial(here().stream, std::vector<unsigned>(blocks)),
      sum(here().stream, std::vector<unsigned>(1));
  fm::buffer<unsigned> arrived(here().stream, std::vector<unsigned>(1));
  measure(state, double(values.size()), [&] {
    arrived.fill_bytes(here().stream, 0);
    fm::launch(here().stream, {blocks, threads}, executor::reduce, in.data(), partial.data(), arrived.data(),
               sum.data(), a_lane);
  });
  if (sum.download(here().stream)[0] != 3 * values.size()) state.SkipWithError("wrong sum");
}

// What others do to run kernels on a CPU: a fiber for each thread of a block, switched at each barrier. No waves, no
// schedule.
void plain_fibers(benchmark::State& state) {
  auto const blocks = static_cast<unsigned>(state.range(0)), threads = 256u, count = 50u;
  measure(state, double{1} * blocks * threads * count, [&] { executor::run_plain_fibers(blocks, threads, count); });
}

BENCHMARK(barriers)->Arg(64)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_fibers)->Arg(64)->UseManualTime()->Unit(benchmark::kMillisecond);
// At system scope the host may come between, which takes the processor's lock.
BENCHMARK(atomics<fm::device_atomic_ref<unsigned>>)
    ->Name("atomics_device")
    ->Arg(64)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(atomics<fm::system_atomic_ref<unsigned>>)
    ->Name("atomics_system")
    ->Arg(64)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(histogram)->Arg(64)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(reduce)->Arg(64)->Arg(1024)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::size_t const run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("peak memory %.2f GiB\n", static_cast<double>(usage.ru_maxrss) / (1 << 20));
  return run == 0 ? 1 : 0;
}
