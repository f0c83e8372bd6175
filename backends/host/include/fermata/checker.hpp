// The checker: runs a kernel on the CPU, watches every access, and says what is wrong with it. Host backend only; a
// program gets it by linking fermata::check instead of fermata::host.
//
//   fm::check_result const r = fm::check(kernel, {blocks, threads}, arguments...).runs(100);
//   if (!r.clean()) std::cerr << r.text();
//
// Every other launch of such a program is checked, too, under the settings of the environment (FERMATA_HOST_WAVE,
// _SEED, _SCHEDULE, _RESIDENT_BLOCKS, _STEPS, _WEAK_VALUES, _XCDS, _ADVICE): findings go to stderr, each once, and a
// program that would have succeeded exits with status 66. FERMATA_CHECK_OUTPUT=<file>.json or <file>.sarif has them
// written down as well.
#pragma once

#if !defined(FERMATA_CHECK)
#error "fermata: <fermata/checker.hpp> is for programs that link fermata::check instead of fermata::host; a GPU build, or one with fermata::host alone, has no checker. Link fermata::check, or leave this header out."
#endif

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fermata/backend/runtime.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/finding_kind.hpp>
#include <fermata/launch.hpp>
#include <fermata/launch_config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// One side of a finding: a place in the source, who was there, and what it did.
struct finding_place {
  std::string file;  // empty if the program has no debug information for it
  unsigned line = 0;
  std::string function;
  unsigned block = 0, wave = 0, lane = 0;
  std::string access;  // "plain write of 4 bytes"
};

struct finding {
  finding_kind kind{};
  std::string message;                // what is wrong, in a sentence
  std::vector<finding_place> places;  // the one that brought it up first
  std::string object;                 // the memory it is about, if any: "buffer of 1024 bytes + 16"
  std::string advice;                 // how to put it right
  std::string suppressed;             // the reason of the check_ignore that covers it; empty if none does
};

// How the lanes take turns.
enum class check_schedule {
  fair,        // round after round, always the same
  random,      // in bursts of random length
  pct,         // by random priorities that change at `depth` - 1 random moments: finds rare orders of few events
  exhaustive,  // every order, one run each, depth first; for a handful of lanes and short kernels
};

// What has been found by check().
struct check_result {
  std::vector<finding> findings;  // those that are suppressed as well
  unsigned runs = 0;              // that have been made
  bool complete = false;          // exhaustive: there is no other order
  // Of the run that found them, or of the last one:
  std::uint64_t seed = 0;
  unsigned wave = 0;
  std::string replay;  // the variables of the environment that repeat it
  std::string error;   // what the launch itself ended with: a deadlock, a failed assertion; empty if it ended well

  // Whether nothing was found that is not suppressed. Advice (wider_than_needed) is no finding in this sense.
  bool clean() const noexcept;
  // Whether something of the kind was found that is not suppressed.
  bool has(finding_kind kind) const noexcept;
  // As a compiler would say it; with the settings that repeat the run.
  std::string text() const;
  // For programs. SARIF is version 2.1.0.
  std::string json() const;
  std::string sarif() const;
};

namespace detail {

// What a checked_launch has been told; 0 or "not told" is what the environment says.
struct check_plan {
  backend::host::kernel_call call;
  launch_config config;
  unsigned required_wave = 0;  // FERMATA_REQUIRE_WAVE
  bool schedule_told = false, seed_told = false, weak_told = false;
  check_schedule schedule = check_schedule::random;
  unsigned depth = 3;
  std::uint64_t span = 0;
  std::uint64_t seed = 1;
  unsigned wave = 0;
  bool weak_values = true;
  unsigned xcds = 0;
  std::uint64_t steps = 0;
  unsigned resident_blocks = 0;
  bool cooperative = false;
  bool advice = false;
};

// `before` is what was in all buffers before the first run; taken down if it is null.
check_result run_checks(check_plan const& plan, unsigned runs, std::shared_ptr<void const>& before);
check_result compare_widths(check_plan plan);

template <class... P>
check_plan plan_of(void (*kernel)(P...), launch_config const& config, std::type_identity_t<P>... arguments) {
  require_copyable<P...>();
  check_launch(device(), config);
  check_plan plan;
  plan.call = backend::host::call_of(kernel, arguments...);
  plan.config = config;
  if (auto const needs = wave_requirements::instance().find(reinterpret_cast<void const*>(kernel)))
    plan.required_wave = needs->width;
  return plan;
}

}  // namespace detail

// A kernel with its arguments, and how it is to be run. Made by check(); each member that chooses something returns
// the object, so that calls can be chained. What is not chosen is as the environment says, and otherwise: random
// schedules, seed 1, waves of 32 lanes, weak values, one XCD, 16 resident blocks, not cooperative.
class checked_launch {
 public:
  explicit checked_launch(detail::check_plan plan) : plan_(std::move(plan)) {}

  // For pct `depth` is of how many events the order matters for the mistake that is looked for, and `steps` how long
  // the run is thought to be: 0 is as long as the last one, and what the replay of a finding says repeats it.
  checked_launch& schedule(check_schedule s, unsigned depth = 3, std::uint64_t steps = 0) {
    plan_.schedule = s;
    plan_.depth = depth;
    plan_.span = steps;
    plan_.schedule_told = true;
    return *this;
  }
  // Of the first run; the next ones have the numbers after it.
  checked_launch& seed(std::uint64_t first) {
    plan_.seed = first;
    plan_.seed_told = true;
    return *this;
  }
  // 32 or 64 lanes.
  checked_launch& wave(unsigned lanes) {
    plan_.wave = lanes;
    return *this;
  }
  // Whether an atomic load may return an older value that its order allows, too.
  checked_launch& weak_values(bool on = true) {
    plan_.weak_values = on;
    plan_.weak_told = true;
    return *this;
  }
  // So many parts of the device with an L2 cache each, which only device-scope releases and acquires keep alike (8 on
  // MI300X). Block b is on part b modulo this number.
  checked_launch& xcds(unsigned count) {
    plan_.xcds = count;
    return *this;
  }
  // After so many yield points (operations, and turns of loops without any) a run is ended as a livelock.
  checked_launch& steps(std::uint64_t most) {
    plan_.steps = most;
    return *this;
  }
  checked_launch& resident_blocks(unsigned count) {
    plan_.resident_blocks = count;
    return *this;
  }
  // Launches as launch_cooperative does: all blocks are resident.
  checked_launch& cooperative(bool on = true) {
    plan_.cooperative = on;
    return *this;
  }
  // Tells also of scopes and barriers that are wider than needed.
  checked_launch& advice(bool on = true) {
    plan_.advice = on;
    return *this;
  }

  // Runs the kernel up to n times; stops after the first run that finds something. Before each run every buffer and
  // every variable of the device (FERMATA_GLOBAL) gets the contents it had before the first one of this object;
  // afterwards they are as the last run left them.
  // Pre     n > 0; nothing else runs on the device.
  // Errors  errc::invalid_argument for a setting that is not legal, errc::too_many_blocks for a cooperative launch
  //         that does not fit, errc::unsupported for waves of a width that the kernel refuses (FERMATA_REQUIRE_WAVE).
  //         What goes wrong inside the kernel is a finding, and not thrown.
  // Cost    for each run, compared with one worker of fermata::host: 3 to 6 times where lanes meet at barriers most of
  //         the time, 16 times for a histogram, 31 times where they do nothing but atomic operations
  //         (docs/results/2026-11-30-executor.txt).
  check_result runs(unsigned n) { return detail::run_checks(plan_, n, before_); }

 private:
  detail::check_plan plan_;
  std::shared_ptr<void const> before_;
};

// Checks one launch of the kernel. Arguments are converted to the kernel's parameter types and copied.
// Errors: as launch, and those of checked_launch::runs.
template <class... P>
checked_launch check(void (*kernel)(P...), launch_config const& config, std::type_identity_t<P>... arguments) {
  return checked_launch(detail::plan_of<P...>(kernel, config, arguments...));
}

// Runs the kernel in waves of 32 lanes and of 64, from the same contents of all buffers and variables of the device,
// and compares what it leaves in them: width_assumption where they differ. Findings of either run are returned, too.
// For kernels whose result does not depend on the schedule.
template <class... P>
check_result check_widths(void (*kernel)(P...), launch_config const& config, std::type_identity_t<P>... arguments) {
  return detail::compare_widths(detail::plan_of<P...>(kernel, config, arguments...));
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
