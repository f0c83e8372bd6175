// fermata-bench: identical synchronisation kernels, measured on the device of the build's backend.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "harness.hpp"
#include "report.hpp"

namespace bench {
namespace {

// Exit codes.
constexpr int success = 0;
constexpr int failed = 1;       // no device, a voided row, output that could not be written
constexpr int wrong_usage = 2;  // an unknown flag, a filter that matches nothing

char const* const usage =
    "fermata-bench: grid barriers, signals, sentinels and kernel boundaries, measured with identical kernels.\n"
    "\n"
    "  --fermata_device=<index>         the device to use (default 0)\n"
    "  --fermata_headline               only the rows that the headline is made of\n"
    "  --fermata_inject_fault=<regex>   corrupt one datum in every row whose name matches: such rows must be voided\n"
    "                                   and the program must fail; for testing the check\n"
    "  --version                        print the version and exit\n"
    "\n"
    "Rows: grid_barrier/<algorithm>/blocks:N/threads:T, grid_barrier_<load>/… (dirty, skewed, wide, split),\n"
    "ablation/<form>/<what>, signal/<how>, chain/<protocol>,\n"
    "all_gather/<protocol>/floats:D/threads:T, kernel_boundary/<how>, contention/<task>/<how>/blocks:N.\n"
    "Times are microseconds per operation (a crossing, a one-way signal, a hop, a step, a kernel, a round in which\n"
    "every thread of the grid counts once). The repetitions (9, or 1 on a slow device) are interleaved at random.\n"
    "Exit code: 0 all rows ran and are right; 1 no device, a voided row or unwritable output; 2 wrong usage.\n"
    "\n"
    "Flags of Google Benchmark:\n";

struct options {
  int device = 0;
  std::optional<std::regex> fault;
  bool headline = false, list = false;
  std::string out, out_format, format;
  bool filter_given = false, repetitions_given = false, interleaving_given = false;
};

bool is_true(std::string_view value) { return value == "true" || value == "1" || value == "yes" || value == "on"; }

// Takes the flags that are ours out of argv, and looks at those of the library that need our help.
// Throws std::invalid_argument for a value that makes no sense.
options parse(int& argc, char** argv) {
  options o;
  if (char const* const out = std::getenv("BENCHMARK_OUT")) o.out = out;
  if (char const* const format = std::getenv("BENCHMARK_OUT_FORMAT")) o.out_format = format;
  if (char const* const format = std::getenv("BENCHMARK_FORMAT")) o.format = format;
  o.repetitions_given = std::getenv("BENCHMARK_REPETITIONS") != nullptr;
  o.interleaving_given = std::getenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING") != nullptr;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string_view const arg = argv[i];
    auto const value_of = [arg](std::string_view flag) -> std::optional<std::string> {
      if (!arg.starts_with(flag) || arg.size() <= flag.size() || arg[flag.size()] != '=') return std::nullopt;
      return std::string(arg.substr(flag.size() + 1));
    };
    if (auto const device = value_of("--fermata_device")) {
      std::size_t used = 0;
      try {
        o.device = std::stoi(*device, &used);
      } catch (std::exception const&) {
      }
      if (used == 0 || used != device->size())
        throw std::invalid_argument("--fermata_device wants a number, not \"" + *device + '"');
      continue;
    }
    if (arg == "--fermata_headline") {
      o.headline = true;
      continue;
    }
    if (auto const fault = value_of("--fermata_inject_fault")) {
      try {
        o.fault.emplace(*fault);
      } catch (std::regex_error const& e) {
        throw std::invalid_argument("--fermata_inject_fault: \"" + *fault +
                                    "\" is not a regular expression: " + e.what());
      }
      continue;
    }
    if (value_of("--benchmark_filter")) o.filter_given = true;
    if (auto const value = value_of("--benchmark_out")) o.out = *value;
    if (auto const value = value_of("--benchmark_out_format")) o.out_format = *value;
    if (auto const value = value_of("--benchmark_format")) o.format = *value;
    if (arg == "--benchmark_list_tests") o.list = true;
    if (auto const value = value_of("--benchmark_list_tests")) o.list = is_true(*value);
    if (value_of("--benchmark_repetitions")) o.repetitions_given = true;
    if (arg.starts_with("--benchmark_enable_random_interleaving")) o.interleaving_given = true;
    argv[kept++] = argv[i];
  }
  argc = kept;
  if (o.headline && o.filter_given)
    throw std::invalid_argument("--fermata_headline is a filter itself; give only one of the two");
  if (o.out_format == "csv")
    throw std::invalid_argument("--benchmark_out_format=csv: the library gives it up; use json");
  return o;
}

void print_help() {
  std::cout << usage << std::flush;
  benchmark::PrintDefaultHelp();
}

// Gives the library flags as the command line would. It keeps `program`, the name of the executable.
void set_flags(char* program, std::vector<std::string> flags) {
  std::vector<char*> argv{program};
  for (std::string& flag : flags) argv.push_back(flag.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(argv.size()) - 1;
  benchmark::Initialize(&argc, argv.data());
}

// A slow device (a CPU) gets fewer samples, so that a run takes minutes and not hours; a sample never has less than
// 1,000 operations.
effort choose_effort(rig& r) { return quick_barrier_microseconds(r) < 20 ? effort{} : effort{1000, 1, false, 1}; }

// The rows that the headline is made of.
std::string headline_filter(rig const& r) {
  return "^(grid_barrier/[a-z_]+/blocks:" + std::to_string(r.multiprocessors()) +
         "/|signal/|chain/|all_gather/[a-z_]+/floats:4224/|kernel_boundary/)";
}

void add_all_rows(rig& r) {
  add_grid_barrier_rows(r);
  add_grid_barrier_loaded_rows(r);
  add_grid_barrier_ablation_rows(r);
  add_signal_rows(r);
  add_chain_rows(r);
  add_all_gather_exchange_rows(r);
  add_all_gather_barrier_rows(r);
  add_kernel_boundary_rows(r);
  add_contention_rows(r);
}

int complain(std::string const& message, int code) {
  std::cout << std::flush;
  std::cerr << "fermata-bench: " << message << '\n';
  return code;
}

int list_rows(options const& o) {
  std::optional<fm::device> device;
  try {
    device.emplace(o.device);
  } catch (fm::error const& e) {
    std::cerr << "fermata-bench: " << e.what()
              << "\nfermata-bench: listing the rows for a device of one multiprocessor\n";
  }
  rig r(std::move(device), std::nullopt);
  add_all_rows(r);
  benchmark::RunSpecifiedBenchmarks();
  return std::cout.flush() ? success : complain("could not write to the standard output", failed);
}

// Runs the rows with the given display and the file that --benchmark_out asks for. Returns how many rows matched;
// `whole` tells whether the file is.
std::size_t run_rows(benchmark::BenchmarkReporter& display, options const& o, bool& whole) {
  whole = true;
  auto const with_file = [&](auto&& file) {
    std::size_t const matched = benchmark::RunSpecifiedBenchmarks(&display, &file);
    whole = file.whole();
    return matched;
  };
  if (o.out.empty()) return benchmark::RunSpecifiedBenchmarks(&display);
  if (o.out_format == "console") return with_file(checked_file_reporter<benchmark::ConsoleReporter>());
  return with_file(checked_file_reporter<benchmark::JSONReporter>());
}

int run(char* program, options const& o) {
  // Before anything is measured, not after.
  if (!o.out.empty() && !std::ofstream(o.out, std::ios::app))
    return complain("cannot write to --benchmark_out=" + o.out, failed);

  rig r(fm::device(o.device), o.fault);
  effort const chosen = choose_effort(r);
  r.set_effort(chosen);
  std::vector<std::string> defaults;
  if (!o.repetitions_given) defaults.push_back("--benchmark_repetitions=" + std::to_string(chosen.repetitions));
  if (!o.interleaving_given) defaults.push_back("--benchmark_enable_random_interleaving=true");
  if (o.headline) defaults.push_back("--benchmark_filter=" + headline_filter(r));
  set_flags(program, std::move(defaults));

  for (auto const& [key, value] : describe(r)) benchmark::AddCustomContext(key, value);
  add_all_rows(r);

  // With another --benchmark_format the standard output belongs to the library's own reporter.
  std::unique_ptr<benchmark::BenchmarkReporter> display;
  if (o.format.empty() || o.format == "console")
    display = std::make_unique<table_reporter>(r);
  else
    display.reset(benchmark::CreateDefaultDisplayReporter());
  bool whole = true;
  std::size_t const matched = run_rows(*display, o, whole);

  if (matched == 0) return complain("no row matches the filter; --benchmark_list_tests shows them all", wrong_usage);
  if (!std::cout.flush()) return complain("could not write to the standard output", failed);
  if (!whole) return complain("could not write all of --benchmark_out=" + o.out, failed);
  if (r.voided().empty()) return success;
  complain(std::to_string(r.voided().size()) + " row(s) are void:", failed);
  for (auto const& [row, reason] : r.voided()) std::cerr << "  " << row << ": " << reason << '\n';
  return failed;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--version") {
      std::cout << "fermata-bench " << FERMATA_VERSION_MAJOR << '.' << FERMATA_VERSION_MINOR << '.'
                << FERMATA_VERSION_PATCH << '\n';
      return std::cout.flush() ? success : failed;
    }
  try {
    options const o = parse(argc, argv);
    benchmark::Initialize(&argc, argv, print_help);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return complain("--help lists the flags", wrong_usage);
    return o.list ? list_rows(o) : run(argv[0], o);
  } catch (std::invalid_argument const& e) {
    return complain(e.what(), wrong_usage);
  } catch (std::exception const& e) {
    return complain(e.what(), failed);
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return bench::main(argc, argv); }
