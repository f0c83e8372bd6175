// Barriers of the block and of more than it: lanes gather, the last one acts for all.
#include <fermata/backend/barrier.hpp>
#include <fermata/backend/block.hpp>
#include <fermata/backend/cluster.hpp>
#include <fermata/backend/grid.hpp>
#include <string_view>

#include "block.hpp"
#include "check/engine.hpp"
#include "check/structure.hpp"
#include "leaving.hpp"
#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

unsigned block::gather_block(lane& l, barrier_kind kind, bool predicate) noexcept {
  if (l.arrived != split_barrier::none) {
    fail_broken_split(l, "calls a barrier");
    abandon(l);
  }
  if (at_barrier_ == 0) {
    barrier_ = kind;
  } else if (barrier_ != kind) {
    fail_mixed_barrier(l);
    abandon(l);
  }
  l.state = lane_state::in_block;
  l.predicate = predicate;
  l.reads.forget();
  ++at_barrier_;
  if constexpr (checking) check::arrived_at_barrier(*this, l);
  if (at_barrier_ + returned_ < lanes_.size()) {
    leave_here(l);
    return l.result;
  }
  if (returned_ != 0) {
    fail_exited_at_barrier();
    abandon(l);
  }
  if (is_wider_barrier(kind)) {
    at_wider_barrier_ = true;
    wider_generation_ = wider_generation();
    if (kind == barrier_kind::grid) {
      if constexpr (checking) check::grid_arrived(*this);
      launch_->arrive_at_grid_barrier();
    } else {
      if constexpr (checking) check::cluster_arrived(*this, *cluster_);
      launch_->arrive_at_cluster_barrier(*cluster_);
    }
    if (!leave_wider_barrier()) leave(l);
  } else {
    finish_barrier();
    give_way(l);
  }
  return l.result;
}

void block::finish_barrier() {
  if constexpr (checking) {
    if (barrier_ == barrier_kind::grid)
      check::grid_left(*this);
    else if (is_wider_barrier(barrier_))
      check::cluster_left(*this, *cluster_);
    else if (barrier_ == barrier_kind::split)
      check::block_split_synchronised(*this);
    else
      check::block_synchronised(*this);
  }
  unsigned count = 0;
  if (barrier_ == barrier_kind::count || barrier_ == barrier_kind::all || barrier_ == barrier_kind::any)
    for (lane const& l : lanes_) count += l.predicate;
  unsigned const result = barrier_ == barrier_kind::all   ? count == lanes_.size()
                          : barrier_ == barrier_kind::any ? count != 0
                                                          : count;
  at_barrier_ = 0;
  if constexpr (checking) turns.barrier_lane = nullptr;
  for (lane& l : lanes_) {
    l.result = result;
    if (&l == current)
      l.state = lane_state::runnable;
    else
      wake(l);
  }
}

bool block::is_wider_barrier(barrier_kind kind) const noexcept {
  return kind == barrier_kind::grid || (kind == barrier_kind::cluster && cluster_);
}

unsigned block::wider_generation() const noexcept {
  return barrier_ == barrier_kind::grid ? launch_->grid_generation()
                                        : cluster_->generation.load(std::memory_order_acquire);
}

bool block::leave_wider_barrier() {
  if (wider_generation() == wider_generation_) return false;
  at_wider_barrier_ = false;
  finish_barrier();
  return true;
}

void block::arrive_split(lane& l, split_barrier at) noexcept {
  if (l.arrived != split_barrier::none) {
    fail_broken_split(l, "arrives again");
    abandon(l);
  }
  l.arrived = at;
  if constexpr (checking) check::arrived_at_split(l);
  // So that the others get their turn in the middle of the pair, too.
  give_way(l);
}

void block::wait_split(lane& l, split_barrier at) noexcept {
  if (l.arrived != at) {
    fail_broken_split(l, at == split_barrier::cluster ? "calls this_cluster().wait()" : "calls this_block().wait()");
    abandon(l);
  }
  l.arrived = split_barrier::none;
  gather_block(l, at == split_barrier::cluster ? barrier_kind::cluster : barrier_kind::split, false);
}

void block::begin_meeting(lane& l, meeting const& m) noexcept {
  l.meeting = m;
  wave const& w = *l.own_wave;
  for (lane const* other = w.first; other != w.first + w.lanes; ++other) {
    meeting const& theirs = other->meeting;
    if (theirs.barrier != m.barrier || theirs.phase != m.phase) continue;
    if (theirs.site.line == m.site.line && std::string_view(theirs.site.file) == m.site.file) continue;
    fail_divergent_meeting(l, *other);
    abandon(l);
  }
}

void begin_meeting(void const* barrier, std::uint32_t phase, detail::call_site site) noexcept {
  if (lane* const self = current) self->home->begin_meeting(*self, {barrier, phase, site});
}

void end_meeting() noexcept {
  if (lane* const self = current) self->meeting.barrier = nullptr;
}

}  // namespace host

void block_sync() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().sync()");
  self.home->gather_block(self, host::barrier_kind::sync, false);
}

unsigned block_sync_count(bool predicate) noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().sync_count()");
  return self.home->gather_block(self, host::barrier_kind::count, predicate);
}

bool block_sync_and(bool predicate) noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().sync_and()");
  return self.home->gather_block(self, host::barrier_kind::all, predicate) != 0;
}

bool block_sync_or(bool predicate) noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().sync_or()");
  return self.home->gather_block(self, host::barrier_kind::any, predicate) != 0;
}

void block_arrive() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().arrive()");
  self.home->arrive_split(self, host::split_barrier::block);
}

void block_wait() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_block().wait()");
  self.home->wait_split(self, host::split_barrier::block);
}

unsigned cluster_rank() noexcept {
  host::lane& self = host::inside_kernel("this_cluster().rank()");
  return self.home->index().x % self.home->launch().request.config.cluster;
}

unsigned cluster_size() noexcept {
  return host::inside_kernel("this_cluster().size()").home->launch().request.config.cluster;
}

void cluster_sync() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_cluster().sync()");
  self.home->gather_block(self, host::barrier_kind::cluster, false);
}

void cluster_arrive() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_cluster().arrive()");
  self.home->arrive_split(self, host::split_barrier::cluster);
}

void cluster_wait() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_cluster().wait()");
  self.home->wait_split(self, host::split_barrier::cluster);
}

unsigned chiplet() noexcept { return host::inside_kernel("grid_barrier").home->chiplet(); }

void cooperative_grid_sync() noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("this_grid().sync()");
  if (!self.home->launch().request.cooperative) {
    self.home->misuse(finding_kind::non_resident_deadlock,
                      "barrier misuse: this_grid().sync() in a launch that is not cooperative; its blocks need not be "
                      "resident together. Use launch_cooperative.",
                      {&self});
    self.home->abandon(self);
  }
  self.home->gather_block(self, host::barrier_kind::grid, false);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
