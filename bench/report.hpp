// What fermata-bench prints and writes: a table, the headline, the context, and a file that is known to be whole.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace bench {

// One row over all of its repetitions, in microseconds per operation.
struct row_result {
  std::string name;
  double median = 0, cv = 0, min = 0, max = 0;
  unsigned repetitions = 0;
  std::map<std::string, double> counters;  // medians
};

// What stands beside the figures, in print and in the JSON context: name and value.
std::vector<std::pair<std::string, std::string>> describe(rig const& r);

// Collects the rows and prints them in the order of their registration when all are done: repetitions of different
// rows are interleaved, so that rows that are compared meet the same conditions.
class table_reporter : public benchmark::BenchmarkReporter {
 public:
  explicit table_reporter(rig const& r) : rig_(r) {}

  bool ReportContext(Context const& context) override;
  void ReportRuns(std::vector<Run> const& runs) override;
  void Finalize() override;

 private:
  void print_table(std::ostream& out) const;

  rig const& rig_;
  // By place of registration.
  std::map<std::pair<std::int64_t, std::int64_t>, row_result> rows_;
};

// The comparison the program is for, from the rows that ran; voided rows do not count.
void print_headline(std::ostream& out, std::vector<row_result> const& rows, unsigned multiprocessors);
// Figures measured elsewhere, with their source.
void print_published(std::ostream& out);

// Writes to --benchmark_out with the library's own reporter, and knows whether everything arrived: the library does
// not look.
template <class Base>
class checked_file_reporter : public Base {
 public:
  void Finalize() override {
    Base::Finalize();
    whole_ = static_cast<bool>(Base::GetOutputStream().flush());
  }
  bool whole() const noexcept { return whole_; }

 private:
  bool whole_ = false;
};

}  // namespace bench
