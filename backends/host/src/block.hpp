// A resident block: its lanes and waves, its queue, its barrier and its shared memory. Everything here is touched by
// one worker only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/backend/kernel.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/dim3.hpp>
#include <fermata/error.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lane.hpp"
#include "launch.hpp"
#include "shared_memory.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class worker;

// One wave of a block, and the wave operation that its lanes are gathering for.
struct wave {
  lane* first;       // its lanes lie side by side
  unsigned lanes;    // that exist
  unsigned live;     // that have not returned
  unsigned arrived;  // that wait in the operation
};

enum class barrier_kind : unsigned char { sync, count, all, any, grid };

// What a turn of a block was good for.
struct turn {
  bool advanced = false;                    // some lane did more than repeat what it had read before
  bool again = false;                       // another turn at once is worth while
  bool ran = false;                         // some lane ran at all
  wait_kind wait = wait_kind::in_executor;  // the least sure one among the lanes that wait
};

class block {
 public:
  // Becomes block `number` of the launch. The object is used for many blocks, one after the other.
  void start(worker& owner, std::shared_ptr<launch_state> launch, unsigned number);
  // Runs every lane that can run once, until it waits or lets others run.
  turn take_turn();
  bool finished() const noexcept { return returned_ == lanes_.size(); }
  // Ends the block, abandoning the lanes that have not returned. The launch gets the report it wants.
  std::shared_ptr<launch_state> end();

  worker& owner() const noexcept { return *owner_; }
  launch_state& launch() const noexcept { return *launch_; }
  dim3 const& index() const noexcept { return index_; }

  // Called on the stack of a lane of the block:
  void run_kernel(lane& l) noexcept;
  lane_word gather_wave(lane& l) noexcept;  // l.request says for what
  unsigned gather_block(lane& l, barrier_kind kind, bool predicate) noexcept;
  void* shared_variable(lane& l, shared_key const& key) noexcept;
  void* dynamic_shared_memory() noexcept { return shared_.dynamic(); }
  // Ends the lane in the middle of the kernel, after the launch has been failed. Nothing on its stack is destroyed, so
  // that no frame below may own memory.
  [[noreturn]] void abandon(lane& l) noexcept;

 private:
  void fail_mixed_wave_operation(lane const& l);
  void fail_mixed_barrier(lane const& l);
  void fail_exited_at_barrier();
  void run_lane(lane& l, turn& result);
  void wake(lane& l);
  void lane_returned(lane& l);
  void finish_wave_operation(wave& w);
  void finish_barrier();
  bool leave_grid_barrier();
  void shuffle_queue() noexcept;
  waiters who_waits() const;
  std::string waits_in_barriers() const;
  std::string name() const;

  worker* owner_ = nullptr;
  std::shared_ptr<launch_state> launch_;
  unsigned number_ = 0;
  dim3 index_;
  std::vector<lane> lanes_;
  std::vector<wave> waves_;
  std::vector<lane*> queue_, next_queue_;
  unsigned returned_ = 0;
  unsigned at_barrier_ = 0;  // lanes that wait at the barrier
  barrier_kind barrier_ = barrier_kind::sync;
  bool at_grid_barrier_ = false;  // all lanes of the block are there
  unsigned grid_generation_ = 0;
  std::uint64_t random_ = 0;
  shared_memory shared_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
