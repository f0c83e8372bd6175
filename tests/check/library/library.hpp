// The library under its own checker: each barrier and protocol orders plain data, in many schedules, without a finding.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fermata/check_doctest.hpp>
#include <fermata/checker.hpp>
#include <fermata/fermata.hpp>
#include <string>
#include <vector>

namespace fm = fermata;

namespace library {

// Schedules of each kernel and wave width: FERMATA_CHECK_LIBRARY_RUNS, or as many as a quick look takes.
inline unsigned runs() {
  char const* const asked = std::getenv("FERMATA_CHECK_LIBRARY_RUNS");
  return asked == nullptr ? 20 : static_cast<unsigned>(std::stoul(asked));
}

// `make(stream)` makes what the kernel needs, and gives a function that says how it is launched. A fifth of the
// schedules are by priorities.
template <class Make>
void stays_clean(Make make) {
  for (unsigned const wave : {32u, 64u}) {
    CAPTURE(wave);
    fm::device const gpu(0);
    fm::stream const s(gpu);
    // Each check begins with memory of its own, as the last run of one leaves what it has counted.
    CHECK_CLEAN(make(s)().wave(wave).schedule(fm::check_schedule::random).runs(runs() - runs() / 5));
    CHECK_CLEAN(make(s)().wave(wave).schedule(fm::check_schedule::pct, 3).runs(runs() / 5));
  }
}

template <class T>
fm::buffer<T> zeros(fm::stream const& s, std::size_t count) {
  return fm::buffer<T>(s, std::vector<T>(count));
}

}  // namespace library
