// A worker: one thread that holds resident blocks, of one or more launches, and runs their lanes in turn.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "fiber.hpp"
#include "launch.hpp"
#include "stack.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class block;
class pool;

class worker {
 public:
  explicit worker(pool& owner);
  ~worker();  // the thread ends once it holds no block

  // Gives the worker a part in a launch: it keeps up to `most_blocks` of its blocks resident.
  void take_part(std::shared_ptr<launch_state> launch, unsigned most_blocks);

  // For the worker's own lanes:
  thread_context& context() noexcept { return context_; }
  stack_pool& stacks() noexcept { return stacks_; }
  // Something has happened that may let a waiting lane go on.
  void note_progress() noexcept {
    // Only the worker itself writes it, so that no read-modify-write is needed.
    progress_.store(progress_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  // For the watchdog: how much has happened; how often lanes have repeated their reads; whether the worker has blocks;
  // the last inquiry after which a whole pass over its lanes brought nothing new; and what they wait for then.
  std::uint64_t progress() const noexcept { return progress_.load(std::memory_order_acquire); }
  bool active() const noexcept { return active_.load(std::memory_order_acquire); }
  std::uint64_t repetitions() const noexcept { return repetitions_.load(std::memory_order_relaxed); }
  std::uint64_t quiet_since_inquiry() const noexcept { return quiet_since_inquiry_.load(std::memory_order_acquire); }
  wait_kind wait() const noexcept { return wait_.load(std::memory_order_relaxed); }

 private:
  struct part {
    std::shared_ptr<launch_state> launch;
    unsigned most_blocks;
    unsigned resident = 0;
    bool exhausted = false;
  };
  struct resident_block {
    std::unique_ptr<host::block> block;
    part* of;
  };

  void run();
  bool wait_for_work();
  void start_blocks();
  void pass();
  void checked_pass();
  void end_block(std::size_t place);
  void rest(bool lanes_ran);

  pool& pool_;
  thread_context context_;
  stack_pool stacks_;
  std::vector<std::unique_ptr<part>> parts_;
  std::vector<resident_block> resident_;
  std::vector<std::unique_ptr<host::block>> spare_blocks_;
  std::uint64_t idle_passes_ = 0;

  alignas(64) std::atomic<std::uint64_t> progress_{0};
  std::atomic<std::uint64_t> repetitions_{0};
  std::atomic<std::uint64_t> quiet_since_inquiry_{0};
  std::atomic<wait_kind> wait_{wait_kind::in_executor};

  alignas(64) std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::unique_ptr<part>> inbox_;
  std::atomic<bool> has_mail_{false}, active_{false};
  bool stop_ = false;

  std::thread thread_;  // last, so that all else exists when it starts
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
