// How long a grid barrier waits: for ever, or until a deadline that tells who has not arrived.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <fermata/backend/clock.hpp>
#include <fermata/buffer.hpp>
#include <fermata/detail/deadline_report.hpp>
#include <fermata/detail/grid_barrier/crossing_number.hpp>
#include <fermata/device.hpp>
#include <fermata/stream.hpp>

#if defined(FERMATA_ENABLE_ASSERTIONS)
#include <fermata/backend/check.hpp>
#endif

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Policies of a grid barrier's waits.
struct no_deadline {};    // for ever; nothing is added to the code
struct with_deadline {};  // as long as the storage allows; then the kernel ends with a report

namespace detail {

// An assertions build has deadlines, except where the executor sees by itself that nobody will arrive, and except for
// the barrier that cannot have one.
#if defined(FERMATA_ENABLE_ASSERTIONS)
template <class Algorithm>
using default_grid_deadline =
    std::conditional_t<!backend::executor_checks_lanes && grid_algorithm<Algorithm>::splits, with_deadline,
                       no_deadline>;
#else
template <class>
using default_grid_deadline = no_deadline;
#endif

template <class Deadline>
class deadline_watch;

template <>
class deadline_watch<no_deadline> {
 public:
  static constexpr bool timed = false;

  FERMATA_DEVICE void arriving() const noexcept {}
  template <std::memory_order O, class Predicate>
  FERMATA_DEVICE void await(std::uint32_t const* word, Predicate ready) const noexcept {
    backend::atomic_await<thread_scope::device, O>(word, ready);
  }
  FERMATA_DEVICE void crossed() const noexcept {}
};

// Lines: those of crossing_number, which tell who has arrived; words[1] of line 0: whether somebody reports already.
template <>
class deadline_watch<with_deadline> {
 public:
  static constexpr bool timed = true;

  FERMATA_FN constexpr deadline_watch(grid_barrier_line* lines, deadline_report* report, std::uint64_t ticks) noexcept
      : lines_(lines), report_(report), ticks_(ticks) {}

  // Relaxed: it orders nothing, and is read when there is time enough.
  FERMATA_DEVICE void arriving() const noexcept {
    relaxed_store(crossing_number::slot(lines_, block_rank()), crossing_number::next(lines_));
  }

  template <std::memory_order O, class Predicate>
  FERMATA_DEVICE void await(std::uint32_t const* word, Predicate ready) const noexcept {
    std::uint64_t const start = backend::wall_clock();
    while (!ready(relaxed_load(*word))) {
      std::uint64_t const waited = backend::wall_clock() - start;
      if (waited > ticks_) fail(waited);
    }
    if constexpr (O == std::memory_order_acquire)
      backend::atomic_thread_fence<thread_scope::device, std::memory_order_acquire>();
  }

  // For the leader of block 0, when the barrier has let it go.
  FERMATA_DEVICE void crossed() const noexcept {
    crossing_number::crossed(lines_, relaxed_load(crossing_number::slot(lines_, 0)));
  }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;

  FERMATA_DEVICE static void put(std::uint32_t& to, std::uint32_t value) noexcept {
    backend::atomic_store<thread_scope::system, relaxed>(&to, value);
  }

  // Does not return. The first to miss the deadline reports; the others give it time to, because a trap ends them all.
  FERMATA_DEVICE void fail(std::uint64_t waited) const noexcept {
    if (backend::atomic_exchange<thread_scope::device, relaxed>(&lines_[0].words[1], 1u) == 0) report(waited);
    // Bounded, because a wait that has missed its deadline must end whatever becomes of the report.
    for (int i = 0; i < 10000 && backend::atomic_load<thread_scope::system, relaxed>(&report_->complete) == 0; ++i) {
    }
    backend::fail_deadline(report_);
  }

  FERMATA_DEVICE void report(std::uint64_t waited) const noexcept {
    unsigned const blocks = num_blocks();
    std::uint32_t const number = relaxed_load(crossing_number::slot(lines_, block_rank()));
    std::uint32_t missing = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      if (crossing_number::has_arrived(relaxed_load(crossing_number::slot(lines_, block)), number)) continue;
      if (missing < deadline_report::most_named) put(report_->first_missing[missing], block);
      ++missing;
    }
    put(report_->block, block_rank());
    put(report_->blocks, blocks);
    put(report_->missing, missing);
    backend::atomic_store<thread_scope::system, relaxed>(&report_->waited, waited);
    backend::atomic_store<thread_scope::system, std::memory_order_release>(&report_->complete, 1u);
    backend::atomic_thread_fence<thread_scope::system, std::memory_order_seq_cst>();
  }

  grid_barrier_line* lines_;
  deadline_report* report_;
  std::uint64_t ticks_;
};

// What a storage keeps for its policy.
template <class Deadline>
class deadline_memory;

template <>
class deadline_memory<no_deadline> {
 public:
  explicit deadline_memory(device const&, char const*) {}
  deadline_watch<no_deadline> watch() const noexcept { return {}; }
  void reset(stream const&) {}
};

template <>
class deadline_memory<with_deadline> {
 public:
  static constexpr std::chrono::nanoseconds default_limit = std::chrono::seconds(10);

  explicit deadline_memory(device const& d, char const* algorithm, std::chrono::nanoseconds limit = default_limit)
      : lines_(d, crossing_number::lines(backend::most_resident_blocks(d.info()))),
        report_(d, 1, memory_kind::mapped),
        known_(report_.host_data()),
        ticks_(static_cast<std::uint64_t>(static_cast<double>(limit.count()) * 1e-9 * d.info().wall_clock_rate)) {
    *report_.host_data() = {};
    deadline_reports::instance().add(report_.host_data(), d.index(), std::string("grid_barrier<") + algorithm + ">",
                                     d.info().wall_clock_rate);
  }

  deadline_watch<with_deadline> watch() const noexcept { return {lines_.data(), report_.data(), ticks_}; }
  void reset(stream const& s) {
    lines_.fill_bytes(s, 0);
    report_.fill_bytes(s, 0);
  }

 private:
  struct forget {
    void operator()(deadline_report const* report) const { deadline_reports::instance().remove(report); }
  };

  buffer<grid_barrier_line> lines_;
  buffer<deadline_report> report_;
  std::unique_ptr<deadline_report, forget> known_;  // owns the entry in the registry, not the memory
  std::uint64_t ticks_;
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
