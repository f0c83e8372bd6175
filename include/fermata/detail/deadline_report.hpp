// What a missed deadline of a grid barrier says: written by the device into memory of the CPU, where it outlives the
// trap that follows; read by the host. Compiles in plain C++.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// `complete` is written last.
struct deadline_report {
  static constexpr unsigned most_named = 8;

  std::uint32_t complete;
  std::uint32_t block, blocks;  // who waited, and of how many
  std::uint32_t missing;        // how many had not arrived, and the first of them
  std::uint32_t first_missing[most_named];
  std::uint64_t waited;         // in ticks of wall_clock()
};

inline std::string describe(deadline_report const& r, std::string const& barrier, double ticks_per_second) {
  std::string text = "deadline missed at " + barrier + ": block " + std::to_string(r.block) + " of " +
                     std::to_string(r.blocks) + " has waited for " +
                     std::to_string(static_cast<double>(r.waited) / ticks_per_second * 1e3) + " ms. ";
  if (r.missing == 0)
    return text + "All blocks have arrived since: the deadline is too short, or a block was stopped in the barrier.";
  text += std::to_string(r.missing) + (r.missing == 1 ? " block has" : " blocks have") + " not arrived:";
  unsigned const named = r.missing < deadline_report::most_named ? r.missing : deadline_report::most_named;
  for (unsigned i = 0; i < named; ++i) text += (i == 0 ? " " : ", ") + std::to_string(r.first_missing[i]);
  if (r.missing > named) text += ", …";
  return text + ". Every block must make the same calls; or allow more time where the storage is made.";
}

// The reports of the storages that live: one registry for the program.
class deadline_reports {
 public:
  static deadline_reports& instance() {
    static deadline_reports the_one;
    return the_one;
  }

  void add(deadline_report const* report, int device, std::string barrier, double ticks_per_second) {
    std::lock_guard const lock(mutex_);
    known_[report] = {device, std::move(barrier), ticks_per_second};
  }
  void remove(deadline_report const* report) {
    std::lock_guard const lock(mutex_);
    known_.erase(report);
  }

  std::string text_of(deadline_report const* report) {
    std::lock_guard const lock(mutex_);
    auto const found = known_.find(report);
    return found == known_.end() ? std::string() : text_of(*found);
  }
  // Of the first of a device that is complete, or nothing. The device is lost with it, and writes no other.
  std::string first_of(int device) {
    std::lock_guard const lock(mutex_);
    for (auto const& entry : known_)
      if (entry.second.device == device && entry.first->complete != 0) return text_of(entry);
    return {};
  }

 private:
  struct origin {
    int device;
    std::string barrier;
    double ticks_per_second;
  };
  using map = std::map<deadline_report const*, origin>;

  static std::string text_of(map::value_type const& entry) {
    return describe(*entry.first, entry.second.barrier, entry.second.ticks_per_second);
  }

  std::mutex mutex_;
  map known_;
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
