// Rows of the benchmark: how one is declared, timed, checked and voided.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>

#include "trial.hpp"

namespace bench {

// How much is measured.
struct effort {
  unsigned iterations = 2000;  // operations per launch, at least 1,000; a launch is one sample
  unsigned launches = 3;       // per repetition
  bool warm_up_launch = true;  // one more before them, checked but not timed; each launch has a warm-up of its own, too
  unsigned repetitions = 9;    // unless the command line says otherwise
};

// The device under test, and what is known about the run so far.
class rig {
 public:
  // Without a device the rows can still be listed, for a device of one multiprocessor and one block.
  rig(std::optional<fm::device> device, std::optional<std::regex> fault);

  fm::device const& device() const { return *device_; }
  fm::stream const& stream() const { return *stream_; }
  unsigned multiprocessors() const noexcept { return device_ ? device_->info().multiprocessors : 1; }
  template <class... P>
  unsigned max_blocks(void (*kernel)(P...), unsigned threads) const {
    return device_ ? static_cast<unsigned>(fm::max_resident_blocks(*device_, kernel, threads)) : 1;
  }

  effort const& how_much() const noexcept { return effort_; }
  void set_effort(effort const& e) noexcept { effort_ = e; }

  // Whether the command line asks for a corrupted datum in this row.
  bool wants_fault(std::string const& row) const { return fault_ && std::regex_search(row, *fault_); }

  // Rows that must not be believed, with the reason. Kept here and not only in the library's reports, which drop
  // errors when they show nothing but aggregates.
  void void_row(std::string const& row, std::string const& reason) { voided_.emplace(row, reason); }
  std::map<std::string, std::string> const& voided() const noexcept { return voided_; }

 private:
  std::optional<fm::device> device_;
  std::optional<fm::stream> stream_;
  std::optional<std::regex> fault_;
  effort effort_;
  std::map<std::string, std::string> voided_;
};

// One launch.
struct sample {
  double microseconds;        // per operation: the row's time
  double event_microseconds;  // the same by events around the launch, warm-up included
  std::optional<double> cycles;
  std::optional<std::string> wrong;  // what the check found
};

// What a row measures; made anew for every repetition.
class experiment {
 public:
  virtual ~experiment() = default;
  virtual sample run() = 0;
};

// An experiment that runs all its operations inside one kernel, which times and checks itself.
class in_kernel : public experiment {
 public:
  in_kernel(bench::rig& r, bool fault);
  sample run() final;

 protected:
  // Queues what must be done before a launch, outside of the time.
  virtual void prepare() {}
  // Queues the kernel.
  virtual void launch(trial const& t) = 0;
  // Iterations of the kernel's loop for so many operations, and operations in one iteration.
  virtual unsigned iterations_for(unsigned operations) const { return operations; }
  virtual double operations_per_iteration() const { return 1; }

  // The iterations of a launch; `out` is not set.
  trial plan() const;
  bench::rig& rig() const noexcept { return rig_; }

 private:
  bench::rig& rig_;
  bool fault_;
  fm::buffer<record> record_;
  fm::event start_, stop_;
};

// Makes the experiment; `fault` as in rig::wants_fault.
using experiment_factory = std::function<std::unique_ptr<experiment>(rig&, bool fault)>;

// Registers a row with the library. The rig outlives the run.
void add_row(rig& r, std::string const& name, experiment_factory make);

// One per topic file.
void add_grid_barrier_rows(rig& r);
void add_grid_barrier_loaded_rows(rig& r);
void add_grid_barrier_ablation_rows(rig& r);
void add_signal_rows(rig& r);
void add_chain_rows(rig& r);
void add_all_gather_exchange_rows(rig& r);
void add_all_gather_barrier_rows(rig& r);
void add_kernel_boundary_rows(rig& r);
void add_contention_rows(rig& r);

// Microseconds of one grid barrier, measured briefly: tells fast devices from slow ones.
double quick_barrier_microseconds(rig& r);

}  // namespace bench
