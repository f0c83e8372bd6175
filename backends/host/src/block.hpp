// A resident block: its lanes and waves, its queue, its barrier and its shared memory. Everything here is touched by
// one worker only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/backend/grid.hpp>
#include <fermata/backend/kernel.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/dim3.hpp>
#include <fermata/error.hpp>
#include <fermata/finding_kind.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/block_turns.hpp"
#include "check/checking.hpp"
#include "lane.hpp"
#include "launch.hpp"
#include "shared_memory.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class worker;
namespace check {
class scheduler;
}

// Lanes of a wave that wait for each other in one operation.
struct gathering {
  lane_word members;  // as the request says
  lane_word here;     // that have come; never empty
};

// One wave of a block, and the operations that its lanes are gathering for: one of the whole wave, or several of parts.
struct wave {
  lane* first = nullptr;  // its lanes lie side by side
  unsigned lanes = 0;     // that exist
  lane_word live = 0;     // that have not returned
  std::vector<gathering> gatherings;

  lane_word members_of(gathering const& g) const noexcept { return g.members != whole_wave ? g.members : live; }
  // The request of the lanes that have come.
  wave_request const& request_of(gathering const& g) const noexcept { return first[lowest_bit(g.here)].request; }
};

enum class barrier_kind : unsigned char { sync, count, all, any, split, cluster, grid };

// What a turn of a block was good for.
struct turn {
  bool advanced = false;                    // some lane did more than repeat what it had read before
  bool again = false;                       // another turn at once is worth while
  bool ran = false;                         // some lane ran at all
  bool took_long = false;                   // some lane ran until its patience was at an end
  std::uint64_t repetitions = 0;            // reads of the lanes that did nothing but repeat theirs
  wait_kind wait = wait_kind::in_executor;  // the least sure one among the lanes that wait
};

class block {
 public:
  // Becomes block `number` of the launch. The object is used for many blocks, one after the other.
  void start(worker& owner, std::shared_ptr<launch_state> launch, unsigned number);
  // Runs every lane that can run once, until it waits or lets others run.
  turn take_turn();
  bool finished() const noexcept { return returned_ == lanes_.size(); }
  // Gives the lane a stack if it has none; fails the launch, and the lane, if there is no memory for it.
  bool has_stack(lane& l);
  // Ends the block, abandoning the lanes that have not returned. The launch gets the report it wants.
  std::shared_ptr<launch_state> end();

  worker& owner() const noexcept { return *owner_; }
  launch_state& launch() const noexcept { return *launch_; }
  dim3 const& index() const noexcept { return index_; }
  unsigned number() const noexcept { return number_; }
  std::vector<lane>& lanes() noexcept { return lanes_; }

  // What the lane waits for, in words; empty if it does not wait.
  std::string wait_of(lane const& l) const;
  std::string waits_in_barriers() const;

  check::block_turns turns;

  // Called on the stack of a lane of the block:
  void run_kernel(lane& l) noexcept;
  // The lane that runs next in this turn, when `l` leaves; null if the turn is over. Not in check mode.
  lane* next_after(lane& l) noexcept;
  // The same when `l` has returned, if the next one has not begun: it gets the stack of `l`, and runs on it at once.
  lane* heir_of(lane& l) noexcept;
  lane_word gather_wave(lane& l) noexcept;  // l.request says for what
  lane_word ask_who_is_here(lane& l) noexcept;
  unsigned gather_block(lane& l, barrier_kind kind, bool predicate) noexcept;
  void arrive_split(lane& l, split_barrier at) noexcept;
  void wait_split(lane& l, split_barrier at) noexcept;
  void begin_meeting(lane& l, meeting const& m) noexcept;
  void* shared_variable(lane& l, shared_key const& key) noexcept;
  void* dynamic_shared_memory() noexcept { return shared_.dynamic(); }
  unsigned chiplet() noexcept { return (number_ / 4 + moves_++) % backend::chiplets; }
  // Fails the launch; in check mode it is a finding, too, with the places where these lanes are. Null lanes do not
  // count.
  void misuse(finding_kind kind, std::string message, std::vector<lane const*> const& who);
  // Ends the lane in the middle of the kernel, after the launch has been failed. Nothing on its stack is destroyed, so
  // that no frame below may own memory.
  [[noreturn]] void abandon(lane& l) noexcept;

 private:
  friend class check::scheduler;  // takes the place of take_turn() in check mode

  void fail_mixed_wave_operation(lane const& l, gathering const& other);
  void fail_wrong_members(lane const& l);
  void fail_member_returned(lane const& l, gathering const& waiting);
  void fail_mixed_barrier(lane const& l);
  void fail_divergent_meeting(lane const& l, lane const& other);
  void fail_broken_split(lane const& l, std::string const& what);
  void fail_exited_at_barrier();
  void fail_stuck();
  std::string misuse_by(lane const& l) const;
  lane const* first_in(lane_state state) const noexcept;
  lane* next_in_turn() noexcept;
  bool need_not_watch(lane& l) noexcept;
  void make_ready(lane& l);  // check mode
  void wake(lane& l) {
    l.state = lane_state::runnable;
    if constexpr (checking)
      make_ready(l);
    else
      next_queue_.push_back(&l);
  }
  void lane_returned(lane& l);
  void finish_wave_operation(wave& w, gathering finished);
  void leave_gatherings(lane const& l);
  bool answer_who_is_here();
  bool answer_who_is_here(wave& w);
  void finish_barrier();
  bool is_wider_barrier(barrier_kind kind) const noexcept;
  unsigned wider_generation() const noexcept;
  bool leave_wider_barrier();
  void shuffle_queue() noexcept;
  waiters who_waits() const;
  std::string name() const;

  worker* owner_ = nullptr;
  std::shared_ptr<launch_state> launch_;
  unsigned number_ = 0;
  unsigned moves_ = 0;  // how often it was asked where it is
  dim3 index_;
  std::vector<lane> lanes_;
  std::vector<wave> waves_;
  std::vector<lane*> queue_, next_queue_;
  std::size_t at_ = 0;  // in the queue, during a turn
  turn turn_;           // what it has been good for so far
  unsigned returned_ = 0;
  unsigned asking_ = 0;      // lanes that wait to hear who is here
  unsigned at_barrier_ = 0;  // lanes that wait at the barrier
  barrier_kind barrier_ = barrier_kind::sync;
  bool at_wider_barrier_ = false;  // all lanes of the block are there: of the grid, or of a cluster of several blocks
  unsigned wider_generation_ = 0;  // of that barrier when the block arrived
  std::shared_ptr<cluster_state> cluster_;  // null if the block is a cluster of its own
  std::uint64_t random_ = 0;
  shared_memory shared_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
