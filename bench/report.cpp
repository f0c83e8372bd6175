#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "build_info.hpp"

namespace bench {
namespace {

std::string number(double value, int digits = 3) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

// The name as this program registered it; the library appends more.
std::string const& name_of(benchmark::BenchmarkReporter::Run const& run) { return run.run_name.function_name; }

}  // namespace

std::vector<std::pair<std::string, std::string>> describe(rig const& r) {
  fm::device_info const& info = r.device().info();
  std::string const version = std::to_string(FERMATA_VERSION_MAJOR) + "." + std::to_string(FERMATA_VERSION_MINOR) +
                              "." + std::to_string(FERMATA_VERSION_PATCH);
  return {{"vendor", info.vendor},
          {"device", info.name},
          {"arch", info.arch},
          {"wave_size", std::to_string(info.wave_size)},
          {"multiprocessors", std::to_string(info.multiprocessors)},
          {"driver", info.driver},
          {"runtime", info.runtime},
          {"compiler", build_info::compiler},
          {"git_revision", build_info::git_revision},
          {"fermata_version", version},
          {"backend", build_info::backend},
          {"build_type", build_info::build_type},
          {"iterations_per_sample", std::to_string(r.how_much().iterations)},
          {"samples_per_repetition", std::to_string(r.how_much().launches)}};
}

bool table_reporter::ReportContext(Context const&) {
  std::ostream& out = GetOutputStream();
  for (auto const& [key, value] : describe(rig_)) out << std::left << std::setw(24) << key << value << '\n';
  out << "\nMeasuring; the repetitions of all rows are interleaved, so the table comes at the end.\n" << std::flush;
  return true;
}

void table_reporter::ReportRuns(std::vector<Run> const& runs) {
  for (Run const& run : runs) {
    row_result& row = rows_[{run.family_index, run.per_family_instance_index}];
    row.name = name_of(run);
    if (run.error_occurred) continue;
    double const value = run.GetAdjustedRealTime();
    bool const single = run.run_type == Run::RT_Iteration;
    // The aggregates come after the single repetitions, or alone, or not at all if there is but one repetition: then
    // that one is the result.
    if (single || run.aggregate_name == "min") row.min = value;
    if (single || run.aggregate_name == "max") row.max = value;
    if (run.aggregate_name == "cv") row.cv = run.real_accumulated_time;
    if (single || run.aggregate_name == "median") {
      row.median = value;
      for (auto const& [name, counter] : run.counters) row.counters[name] = counter.value;
    }
    row.repetitions = static_cast<unsigned>(run.repetitions);
  }
}

void table_reporter::print_table(std::ostream& out) const {
  std::size_t width = 4;
  for (auto const& [place, row] : rows_) width = std::max(width, row.name.size());
  auto const counter = [](row_result const& row, char const* name, int digits) {
    auto const found = row.counters.find(name);
    return found == row.counters.end() ? std::string("-") : number(found->second, digits);
  };
  out << '\n'
      << std::left << std::setw(static_cast<int>(width)) << "row" << std::right << std::setw(12) << "median us"
      << std::setw(8) << "cv %" << std::setw(12) << "min" << std::setw(12) << "max" << std::setw(12) << "by events"
      << std::setw(12) << "cycles"
      << "  check\n";
  for (auto const& [place, row] : rows_) {
    out << std::left << std::setw(static_cast<int>(width)) << row.name << std::right;
    if (auto const reason = rig_.voided().find(row.name); reason != rig_.voided().end()) {
      out << "  VOID: " << reason->second << '\n';
      continue;
    }
    out << std::setw(12) << number(row.median) << std::setw(8) << (row.repetitions > 1 ? number(row.cv * 100, 1) : "-")
        << std::setw(12) << number(row.min) << std::setw(12) << number(row.max) << std::setw(12)
        << counter(row, "event_us", 3) << std::setw(12) << counter(row, "cycles", 0) << "  ok\n";
  }
}

void table_reporter::Finalize() {
  std::ostream& out = GetOutputStream();
  print_table(out);
  std::vector<row_result> good;
  for (auto const& [place, row] : rows_)
    if (!rig_.voided().contains(row.name)) good.push_back(row);
  print_published(out);
  print_headline(out, good, rig_.multiprocessors());
  out.flush();
}

void print_published(std::ostream& out) {
  out << "\nPublished elsewhere, not measured by this program or this project:\n"
      << build_info::published << std::flush;
}

namespace {

std::string const not_run = "not run";

using found_row = std::optional<row_result>;

// The fastest of the rows that start with `prefix` and hold `infix` after it.
found_row fastest(std::vector<row_result> const& rows, std::string const& prefix, std::string const& infix = "") {
  found_row best;
  for (row_result const& row : rows)
    if (row.name.starts_with(prefix) && row.name.find(infix, prefix.size()) != std::string::npos &&
        (!best || row.median < best->median))
      best = row;
  return best;
}

std::string time_of(found_row const& row) { return row ? number(row->median) + " us" : not_run; }
std::string ratio(found_row const& slow, found_row const& fast) {
  return slow && fast ? number(slow->median / fast->median, 2) : not_run;
}
// The part of the name after the family, without the fixed part: which algorithm, which thread count.
std::string which(found_row const& row, std::string const& prefix) {
  return row ? "  (" + row->name.substr(prefix.size()) + ")" : std::string();
}

}  // namespace

void print_headline(std::ostream& out, std::vector<row_result> const& rows, unsigned multiprocessors) {
  std::string const at_all = "/blocks:" + std::to_string(multiprocessors) + "/";
  std::string const family = "grid_barrier/", gather = "all_gather/", floats = "/floats:4224/";
  found_row const best = fastest(rows, family, at_all);
  found_row const vendors_own = fastest(rows, family + "cooperative" + at_all);
  found_row const automatic = fastest(rows, family + "automatic" + at_all);
  found_row const monotonic = fastest(rows, family + "monotonic" + at_all);
  found_row const signal = fastest(rows, "signal/relaxed");
  found_row const hop = fastest(rows, "chain/sentinel");
  found_row const gather_sentinel = fastest(rows, gather + "sentinel" + floats);
  found_row const gather_cooperative = fastest(rows, gather + "write_cooperative_read" + floats);
  found_row const gather_barrier = fastest(rows, gather + "write_", floats);

  out << "\nHeadline (medians of this run; " << multiprocessors << " blocks, one a multiprocessor)\n"
      << "  grid barrier, best algorithm            " << time_of(best) << which(best, family) << '\n'
      << "  grid barrier, the vendor's cooperative  " << time_of(vendors_own) << '\n'
      << "  sentinel, one hop of a chain            " << time_of(hop) << '\n'
      << "  sentinel, all-gather of 4224 floats     " << time_of(gather_sentinel) << which(gather_sentinel, gather)
      << '\n'
      << "  write + cooperative barrier + read      " << time_of(gather_cooperative)
      << which(gather_cooperative, gather) << '\n'
      << "  write + best barrier + read             " << time_of(gather_barrier) << which(gather_barrier, gather)
      << '\n'
      << "  ratio default / cooperative barrier                    " << ratio(automatic, vendors_own) << '\n'
      << "  ratio monotonic / cooperative barrier                  " << ratio(monotonic, vendors_own) << '\n'
      << "  ratio best barrier / sentinel hop                      " << ratio(best, hop) << '\n'
      << "  ratio sentinel hop / relaxed one-way signal            " << ratio(hop, signal) << '\n'
      << "  ratio write + cooperative barrier + read / sentinel    " << ratio(gather_cooperative, gather_sentinel)
      << '\n'
      << "  ratio write + best barrier + read / sentinel           " << ratio(gather_barrier, gather_sentinel) << '\n';
}

}  // namespace bench
