// What the tests of the checker share. A bug is a kernel with one mistake, made on purpose; its twin does the same
// without the mistake, in a file of the same name under clean/.
//
// The lines that a finding must name are marked in the source, at their end:
//
//   counts[key] += 1;  // here: lost_update         must be named by the finding of the test case bug/lost_update
//   flag.store(1, …);  // here: some_bug?           may be named, too
//
// Where a race is explained by the pair of operations that would have ordered it (missing-release, missing-acquire,
// insufficient-scope), those have the second form: the race is between the accesses of the data, but a good report
// also shows where the order is missing.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <fermata/checker.hpp>
#include <fermata/fermata.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace fm = fermata;
using kind = fm::finding_kind;

namespace test {

// Most kernels here synchronise by words of this kind, by one thread of each block.
using word = fm::device_atomic_ref<unsigned>;
FERMATA_DEVICE inline bool leads_its_block() { return fm::this_block().thread_rank() == 0; }

// The device memory of one kernel: lives until its last run is over.
class memory {
 public:
  memory() : queue_(gpu_) {}

  template <class T>
  T* filled(std::size_t count, T value) {
    return uploaded(std::vector<T>(count, value));
  }
  template <class T>
  T* zeros(std::size_t count) {
    return filled<T>(count, T{});
  }
  template <class T>
  T* uploaded(std::vector<T> const& values) {
    return keep(fm::buffer<T>(queue_, std::span<T const>(values))).data();
  }
  // What nobody has written yet.
  template <class T>
  T* uninitialised(std::size_t count) {
    return keep(fm::buffer<T>(gpu_, count)).data();
  }
  // Of the grid barrier of the kernel.
  template <class Algorithm = fm::default_grid_algorithm>
  fm::grid_barrier<Algorithm> barrier() {
    return keep(fm::grid_barrier_storage<Algorithm>(gpu_)).barrier();
  }
  template <class T, class Protocol = fm::default_exchange_protocol<T>>
  fm::exchange<T, Protocol> exchange(unsigned blocks, unsigned values) {
    return keep(fm::exchange_storage<T, Protocol>(gpu_, blocks, values)).handle();
  }

 private:
  template <class Owner>
  Owner& keep(Owner&& owner) {
    auto const kept = std::make_shared<Owner>(std::move(owner));
    kept_.push_back(kept);
    return *kept;
  }

  fm::device gpu_;
  fm::stream queue_;
  std::vector<std::shared_ptr<void>> kept_;
};

// Makes the memory, and says how the kernel is launched.
using launcher = fm::checked_launch (*)(memory&);

// Launches, all blocks resident, of a kernel that has three or four arrays of four words, zero at first.
inline fm::checked_launch with_three(memory& m, void (*kernel)(unsigned*, unsigned*, unsigned*), unsigned blocks = 2) {
  fm::checked_launch launch =
      fm::check(kernel, {blocks, 4}, m.zeros<unsigned>(4), m.zeros<unsigned>(4), m.zeros<unsigned>(4));
  launch.cooperative();
  return launch;
}
inline fm::checked_launch with_four(memory& m, void (*kernel)(unsigned*, unsigned*, unsigned*, unsigned*)) {
  fm::checked_launch launch =
      fm::check(kernel, {3, 4}, m.zeros<unsigned>(4), m.zeros<unsigned>(4), m.zeros<unsigned>(4), m.zeros<unsigned>(4));
  launch.cooperative();
  return launch;
}

// What may be so beside the one finding that a bug has to bring about.
struct leeway {
  // The mistake may go by these names, too: it has two sides, and which is seen first depends on the schedule.
  std::vector<kind> instead = {};
  // What follows from the mistake in some schedules, and may be found in the same run.
  std::vector<kind> beside = {};
  // The mistake shows at more than one pair of operations, each of which is a finding of its own.
  bool several = false;
  std::vector<unsigned> waves = {32, 64};
};

// Runs the kernel in up to 100 random schedules and, if nothing was found, in up to 200 by priorities (PCT, depth 3).
// Requires one finding, of this kind, which names exactly the lines that are marked with the name of the test case.
void finds(kind expected, launcher launch, leeway allowed = {});

// The same for kernels whose mistake shows only if waves of 32 and of 64 lanes are compared.
void finds_between_widths(fm::check_result (*compare)(memory&));

// Requires that there is no finding in 100 random schedules and in 20 by priorities, in waves of 32 and of 64 lanes;
// `without_advice`: nor a scope that is wider than needed.
void stays_clean(launcher launch, bool without_advice = false);
void stays_clean_between_widths(fm::check_result (*compare)(memory&));

// Prints how each bug that was looked for has been found. False if that was too seldom by random schedules, or if there
// were too few bugs although no filter was given (`all_ran`).
bool print_findings(bool all_ran);

}  // namespace test
