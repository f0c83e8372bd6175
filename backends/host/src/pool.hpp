// The host device: its workers, the launches that run on them, and the watchdog that ends those that cannot end.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <fermata/backend/runtime.hpp>
#include <fermata/detail/config.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "launch.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class pool {
 public:
  // Made when first needed; ends at exit, after the work that is still queued.
  static pool& instance();

  ~pool();

  // Starts a launch on the first `workers` workers. `done` is called by one of them, without locks held.
  void start(std::shared_ptr<launch_state> launch);
  // The last block of the launch has ended; called by its worker.
  void end(std::shared_ptr<launch_state> const& launch);

  // The watchdog's question to the workers; see worker::quiet_since_inquiry.
  std::uint64_t inquiry() const noexcept { return inquiry_.load(std::memory_order_acquire); }

  void add(std::shared_ptr<stream> s);
  void remove(stream* s);
  std::vector<std::shared_ptr<stream>> streams();

 private:
  pool() = default;

  void watch();
  bool all_quiet(wait_kind& kind);
  std::uint64_t progress_so_far();
  std::uint64_t repetitions_so_far();

  std::mutex mutex_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::shared_ptr<launch_state>> running_;
  std::unordered_map<stream*, std::shared_ptr<stream>> streams_;

  std::atomic<std::uint64_t> inquiry_{1};
  std::condition_variable wake_watchdog_;
  bool watchdog_sleeps_ = false, stop_ = false;
  std::thread watchdog_;
};

// A host thread has changed memory that a kernel may wait for.
void note_progress_of_the_host() noexcept;
std::uint64_t progress_of_the_host() noexcept;

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
