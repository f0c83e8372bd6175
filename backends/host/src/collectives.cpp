// Wave operations and barriers: lanes gather, the last one acts for all.
#include <bit>
#include <cstring>
#include <fermata/backend/block.hpp>
#include <fermata/backend/grid.hpp>
#include <fermata/backend/wave.hpp>

#include "block.hpp"
#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {
namespace {

bool same_operation(wave_request const& a, wave_request const& b) noexcept {
  return a.operation == b.operation && a.how == b.how && a.bytes == b.bytes && a.fold == b.fold;
}

// The lane whose value `l` gets; `l` itself where the selected one is beyond the wave.
unsigned source_of(lane const& l, unsigned width) noexcept {
  unsigned const argument = l.request.argument;
  switch (l.request.how) {
    case shuffle::from:
    case shuffle::broadcast:
      return argument % width;
    case shuffle::up:
      return argument <= l.place ? l.place - argument : l.place;
    case shuffle::down:
      return argument < width - l.place ? l.place + argument : l.place;
    case shuffle::exclusive_or:
      return (l.place ^ argument) % width;
  }
  return l.place;
}

}  // namespace

lane_word block::gather_wave(lane& l) noexcept {
  wave& w = *l.own_wave;
  if (w.arrived != 0) {
    lane const* other = w.first;
    while (other->state != lane_state::in_wave) ++other;
    if (!same_operation(other->request, l.request)) {
      fail_mixed_wave_operation(l);
      abandon(l);
    }
  }
  l.state = lane_state::in_wave;
  l.reads.forget();
  if (++w.arrived < w.live) {
    leave(l);
  } else {
    finish_wave_operation(w);
    give_way(l);
  }
  return l.request.ballot;
}

// Computes what everybody gets, and wakes the lanes that wait. The one that came last just goes on.
void block::finish_wave_operation(wave& w) {
  unsigned const width = launch_->how.wave_size;
  lane* const lanes = w.first;
  wave_request const& asked = [&]() -> wave_request const& {
    lane* l = lanes;
    while (l->state != lane_state::in_wave) ++l;
    return l->request;
  }();

  if (asked.operation == wave_operation::shuffle) {
    for (unsigned i = 0; i < w.lanes; ++i) {
      lane& l = lanes[i];
      if (l.state != lane_state::in_wave) continue;
      unsigned const source = source_of(l, width);
      if (source < w.lanes && lanes[source].state == lane_state::in_wave)
        std::memcpy(l.request.result, lanes[source].request.value, l.request.bytes);
    }
  } else if (asked.operation == wave_operation::fold) {
    void *values[64], *results[64];
    void const* operations[64];
    unsigned count = 0;
    for (unsigned i = 0; i < w.lanes; ++i) {
      lane& l = lanes[i];
      if (l.state != lane_state::in_wave) continue;
      values[count] = l.request.value;
      results[count] = l.request.result;
      operations[count++] = l.request.fold_operation;
    }
    asked.fold(count, count == width, values, results, operations);
  } else {
    lane_word votes = 0;
    for (unsigned i = 0; i < w.lanes; ++i)
      if (lanes[i].state == lane_state::in_wave && lanes[i].request.predicate) votes |= lane_word{1} << i;
    lane_word const result = asked.operation == wave_operation::any   ? votes != 0
                             : asked.operation == wave_operation::all ? count_bits(votes) == w.arrived
                                                                      : votes;
    for (unsigned i = 0; i < w.lanes; ++i) lanes[i].request.ballot = result;
  }

  w.arrived = 0;
  for (unsigned i = 0; i < w.lanes; ++i) {
    lane& l = lanes[i];
    if (l.state != lane_state::in_wave) continue;
    if (&l == current)
      l.state = lane_state::runnable;
    else
      wake(l);
  }
}

unsigned block::gather_block(lane& l, barrier_kind kind, bool predicate) noexcept {
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
  if (at_barrier_ + returned_ < lanes_.size()) {
    leave(l);
    return l.result;
  }
  if (returned_ != 0) {
    fail_exited_at_barrier();
    abandon(l);
  }
  if (kind == barrier_kind::grid) {
    at_grid_barrier_ = true;
    grid_generation_ = launch_->grid_generation();
    launch_->arrive_at_grid_barrier();
    if (!leave_grid_barrier()) leave(l);
  } else {
    finish_barrier();
    give_way(l);
  }
  return l.result;
}

void block::finish_barrier() {
  unsigned count = 0;
  if (barrier_ != barrier_kind::sync && barrier_ != barrier_kind::grid)
    for (lane const& l : lanes_) count += l.predicate;
  unsigned const result = barrier_ == barrier_kind::all   ? count == lanes_.size()
                          : barrier_ == barrier_kind::any ? count != 0
                                                          : count;
  at_barrier_ = 0;
  for (lane& l : lanes_) {
    l.result = result;
    if (&l == current)
      l.state = lane_state::runnable;
    else
      wake(l);
  }
}

bool block::leave_grid_barrier() {
  if (launch_->grid_generation() == grid_generation_) return false;
  at_grid_barrier_ = false;
  finish_barrier();
  return true;
}

void wave_shuffle(shuffle how, void const* value, void* result, std::size_t bytes, unsigned argument) noexcept {
  lane& self = inside_kernel("a wave shuffle");
  self.request = {};
  self.request.operation = wave_operation::shuffle;
  self.request.how = how;
  self.request.argument = argument;
  self.request.bytes = bytes;
  self.request.value = const_cast<void*>(value);
  self.request.result = result;
  self.home->gather_wave(self);
}

void wave_fold(fold_function fold, void* value, void* result, std::size_t bytes, void const* operation) noexcept {
  lane& self = inside_kernel("this_wave().reduce()");
  self.request = {};
  self.request.operation = wave_operation::fold;
  self.request.bytes = bytes;
  self.request.value = value;
  self.request.result = result;
  self.request.fold = fold;
  self.request.fold_operation = operation;
  self.home->gather_wave(self);
}

namespace {

lane_word vote(wave_operation operation, bool predicate) noexcept {
  lane& self = inside_kernel("a wave vote");
  self.request = {};
  self.request.operation = operation;
  self.request.predicate = predicate;
  return self.home->gather_wave(self);
}

}  // namespace
}  // namespace host

void wave_sync() noexcept { host::vote(host::wave_operation::sync, false); }
bool wave_any(bool predicate) noexcept { return host::vote(host::wave_operation::any, predicate) != 0; }
bool wave_all(bool predicate) noexcept { return host::vote(host::wave_operation::all, predicate) != 0; }
lane_word wave_ballot(bool predicate) noexcept { return host::vote(host::wave_operation::ballot, predicate); }

void block_sync() noexcept {
  host::lane& self = host::inside_kernel("this_block().sync()");
  self.home->gather_block(self, host::barrier_kind::sync, false);
}

unsigned block_sync_count(bool predicate) noexcept {
  host::lane& self = host::inside_kernel("this_block().sync_count()");
  return self.home->gather_block(self, host::barrier_kind::count, predicate);
}

bool block_sync_and(bool predicate) noexcept {
  host::lane& self = host::inside_kernel("this_block().sync_and()");
  return self.home->gather_block(self, host::barrier_kind::all, predicate) != 0;
}

bool block_sync_or(bool predicate) noexcept {
  host::lane& self = host::inside_kernel("this_block().sync_or()");
  return self.home->gather_block(self, host::barrier_kind::any, predicate) != 0;
}

void cooperative_grid_sync() noexcept {
  host::lane& self = host::inside_kernel("this_grid().sync()");
  if (!self.home->launch().request.cooperative) {
    self.home->launch().fail(
        errc::barrier_misuse,
        "barrier misuse: this_grid().sync() in a launch that is not cooperative; its blocks need not be "
        "resident together. Use launch_cooperative.");
    self.home->abandon(self);
  }
  self.home->gather_block(self, host::barrier_kind::grid, false);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
