#include "harness.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>

namespace bench {

rig::rig(std::optional<fm::device> device, std::optional<std::regex> fault)
    : device_(std::move(device)), fault_(std::move(fault)) {
  if (device_) stream_.emplace(*device_);
}

in_kernel::in_kernel(bench::rig& r, bool fault)
    : rig_(r), fault_(fault), record_(r.device(), 1), start_(r.device()), stop_(r.device()) {}

trial in_kernel::plan() const {
  unsigned const iterations = iterations_for(rig_.how_much().iterations);
  unsigned const warm_up = std::max(iterations / 10, 1u);
  return {nullptr, warm_up, iterations, fault_ ? warm_up + iterations / 2 : never};
}

sample in_kernel::run() {
  fm::stream const& s = rig_.stream();
  trial t = plan();
  t.out = record_.data();

  record_.fill(s, record{});
  prepare();
  s.synchronize();
  start_.record(s);
  launch(t);
  stop_.record(s);
  s.synchronize();
  record const r = record_.download(s).front();

  fm::device_info const& info = rig_.device().info();
  double const operations = t.iterations * operations_per_iteration();
  double const seconds = static_cast<double>(r.wall_stop - r.wall_start) / info.wall_clock_rate;
  double const cycles = static_cast<double>(r.cycle_stop - r.cycle_start);
  sample result{seconds * 1e6 / operations, stop_.microseconds_since(start_) / (t.end() * operations_per_iteration()),
                std::nullopt, std::nullopt};
  // The cycle counter of some targets has few bits and wraps within a launch: a count that cannot be true is left out.
  double const plausible = seconds * info.cycle_clock_rate;
  if (cycles > plausible / 4 && cycles < plausible * 4) result.cycles = cycles / operations;
  if (r.wrong != 0)
    result.wrong = "wrong data: " + std::to_string(r.wrong) + " thread(s) received a value that was not sent";
  else if (r.wall_stop <= r.wall_start)
    result.wrong = "the clock did not advance between the start and the end of the kernel";
  return result;
}

namespace {

void run_row(benchmark::State& state, rig& r, std::string const& name, experiment_factory const& make) {
  auto const give_up = [&](std::string const& reason) {
    r.void_row(name, reason);
    state.SkipWithError(reason.c_str());
  };
  // A row that failed once stays void; there is nothing to gain from its other repetitions.
  if (auto const known = r.voided().find(name); known != r.voided().end()) return give_up(known->second);
  try {
    std::unique_ptr<experiment> const what = make(r, r.wants_fault(name));
    if (r.how_much().warm_up_launch)
      if (sample const warm_up = what->run(); warm_up.wrong) return give_up(*warm_up.wrong);
    double events = 0, cycles = 0;
    bool all_have_cycles = true;
    for ([[maybe_unused]] auto _ : state) {
      sample const s = what->run();
      if (s.wrong) {
        give_up(*s.wrong);
        break;
      }
      state.SetIterationTime(s.microseconds * 1e-6);
      events += s.event_microseconds;
      cycles += s.cycles.value_or(0);
      all_have_cycles = all_have_cycles && s.cycles.has_value();
    }
    // Averages over the launches of this repetition, as the row's time is.
    double const launches = static_cast<double>(state.max_iterations);
    state.counters["event_us"] = events / launches;
    if (all_have_cycles) state.counters["cycles"] = cycles / launches;
  } catch (fm::error const& e) {
    give_up(e.what());
  }
}

}  // namespace

void add_row(rig& r, std::string const& name, experiment_factory make) {
  benchmark::RegisterBenchmark(
      name.c_str(), [&r, name, make = std::move(make)](benchmark::State& state) { run_row(state, r, name, make); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(r.how_much().launches)
      ->ComputeStatistics("min", [](std::vector<double> const& v) { return *std::min_element(v.begin(), v.end()); })
      ->ComputeStatistics("max", [](std::vector<double> const& v) { return *std::max_element(v.begin(), v.end()); });
}

}  // namespace bench
