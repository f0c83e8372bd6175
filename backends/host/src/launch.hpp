// One launch of a kernel while it runs: which blocks are still to start, the grid barrier, and what went wrong.
#pragma once

#include <atomic>
#include <cstddef>
#include <fermata/backend/runtime.hpp>
#include <fermata/error.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/scope.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "settings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// What a block has to say in a report of a deadlock: for each lane that waits for a word, and for those that wait for
// other lanes of the block. In the order in which it is told: those that wait for a word say why the others wait.
enum class waiter : unsigned char { for_word, for_lanes };
using waiters = std::multimap<std::pair<waiter, unsigned /* block */>, std::string>;

struct launch_request {
  kernel_call call;
  launch_config config;
  bool cooperative;
};

// The barrier of one cluster of several blocks, guarded by the launch's mutex but for the generation.
struct cluster_state {
  unsigned number;
  unsigned arrived = 0, ended = 0;  // blocks
  std::atomic<unsigned> generation{0};

  explicit cluster_state(unsigned which) : number(which) {}
};

class launch_state {
 public:
  using completion = std::function<void(std::optional<error>)>;

  launch_state(launch_request request, settings const& how, completion done);

  launch_request const request;
  settings how;  // as chosen; but for what the checker fills in when the launch begins (settings::span)
  unsigned const blocks, threads;  // in the grid, in a block

  // Set by the pool when the launch begins: how many workers have a part in it; and the widest scope whose lanes all
  // run on one thread while it runs, those of other launches too: a block's, or the device's.
  unsigned workers = 0;
  thread_scope scope_of_one_thread = thread_scope::block;

  bool decisions_begun = false;  // check mode: the scheduler has seen its first block

  // The place of a block in three dimensions.
  dim3 block_index(unsigned block) const noexcept;

  // The next block to start. False if there is none, or if the launch has failed.
  bool claim(unsigned& block);
  // One claimed block has ended, well or not. True if it was the last one: call complete() then.
  bool block_ended();
  void complete() { done_(outcome()); }

  // How many of its blocks have started, and have ended.
  std::pair<unsigned, unsigned> blocks_so_far();

  // The first failure is kept. The workers drop the launch's blocks as soon as they see it.
  void fail(errc code, std::string message);
  bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  // As fail, for errc::deadlock, if some block is resident: the workers add what their lanes wait for.
  void fail_deadlocked();
  bool wants_report() const noexcept { return wants_report_.load(std::memory_order_acquire); }
  void report(waiters more);

  // The grid barrier: a whole block arrives, and waits until the generation has changed.
  unsigned grid_generation() const noexcept { return grid_generation_.load(std::memory_order_acquire); }
  void arrive_at_grid_barrier();

  // The cluster that a block belongs to, made by the first of its blocks to start; null if each block is one.
  std::shared_ptr<cluster_state> join_cluster(unsigned block);
  // A block of the cluster has ended; a whole block arrives at its barrier, and waits until the generation has changed.
  void leave_cluster(cluster_state& c);
  void arrive_at_cluster_barrier(cluster_state& c);

 private:
  std::optional<error> outcome();
  void fail_locked(errc code, std::string message);
  void fail_unequal_locked(std::string message);
  void check_grid_barrier_locked();
  void check_cluster_barrier_locked(cluster_state& c);

  completion done_;
  std::mutex mutex_;
  unsigned started_ = 0, ended_ = 0, arrived_ = 0;
  errc code_ = errc::kernel_failed;
  std::string message_;
  waiters waiters_;
  std::atomic<bool> failed_{false}, wants_report_{false};
  std::atomic<unsigned> grid_generation_{0};
  std::map<unsigned, std::shared_ptr<cluster_state>> clusters_;  // that have blocks which run
};

// A place in three dimensions as text: (1, 0, 0).
std::string to_text(dim3 const& index);

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
