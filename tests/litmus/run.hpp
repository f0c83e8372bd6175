// Running a row on a device, and judging what was seen.
#pragma once

#include <cstdint>
#include <vector>

#include "options.hpp"
#include "rows.hpp"

namespace litmus {

enum class verdict {
  ok,              // the row forbids its asked outcome, and nothing forbidden was seen
  weak_seen,       // a control: its asked outcome is allowed, and was seen
  inconclusive,    // a control whose asked outcome was not seen: on this device, in this run, the row says nothing
  forbidden_seen,  // an outcome that is not allowed: of any row
  broken           // instances were mixed up: the harness is at fault, and the row says nothing
};

char const* name_of(verdict);

struct located_witness {
  unsigned stride;
  witness what;
};

struct row_result {
  std::uint64_t histogram[outcome_count] = {};
  std::uint64_t instances = 0, mixed = 0, forbidden = 0;
  std::vector<located_witness> witnesses;
  double seconds = 0;
  verdict judged = verdict::broken;

  bool failed() const { return judged == verdict::forbidden_seen || judged == verdict::broken; }
};

// Throws fermata::error if the device refuses.
row_result run_row(fm::stream const& s, row const& r, options const& o);

// Of the counts alone.
verdict judge(row const& r, row_result const& counted);

// Whether --inject-fault can make the row fail.
bool takes_fault(row const& r);

}  // namespace litmus
