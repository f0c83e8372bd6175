// Wave operations: lanes gather, the last one acts for all.
#include <cstring>
#include <fermata/backend/lanes.hpp>
#include <vector>

#include "block.hpp"
#include "check/engine.hpp"
#include "check/structure.hpp"
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
  lane_word const self = lane_word{1} << l.place, members = l.request.members;
  lane_word const awaited = members != whole_wave ? members : w.live;
  if ((awaited & self) == 0 || (awaited & ~w.live) != 0) {
    fail_wrong_members(l);
    abandon(l);
  }
  gathering* mine = nullptr;
  for (gathering& g : w.gatherings) {
    bool const same_group = g.members == members;
    if (same_group && same_operation(w.request_of(g), l.request)) {
      mine = &g;
    } else if (same_group || ((w.members_of(g) & self) != 0 && (awaited & g.here) != 0)) {
      // Each side waits for the other in an operation of its own. (That only one of them does is no mistake: the lanes
      // of the smaller group come when they are done with it.)
      fail_mixed_wave_operation(l, g);
      abandon(l);
    }
  }
  if constexpr (checking)
    if (mine != nullptr && members == whole_wave) check::joined_wave_operation(l, w.first[lowest_bit(mine->here)]);
  if (mine == nullptr) mine = &w.gatherings.emplace_back(gathering{members, 0});
  mine->here |= self;
  l.state = lane_state::in_wave;
  l.reads.forget();
  if (mine->here != awaited) {
    leave(l);
  } else {
    finish_wave_operation(w, *mine);
    give_way(l);
  }
  return l.request.ballot;
}

namespace {

// Copies to each lane the value of the lane it asks for.
void finish_shuffle(wave const& w, lane_word here, unsigned width) {
  for (lane_word rest = here; rest != 0; rest &= rest - 1) {
    lane const& l = w.first[lowest_bit(rest)];
    unsigned const source = source_of(l, width);
    if ((here >> source & 1) != 0)
      std::memcpy(l.request.result, w.first[source].request.value, l.request.bytes);
    else if constexpr (checking)
      check::inactive_read(l, source);
  }
}

void finish_fold(wave const& w, lane_word here, unsigned width) {
  void *values[64], *results[64];
  void const* operations[64];
  unsigned count = 0;
  for (lane_word rest = here; rest != 0; rest &= rest - 1) {
    lane const& l = w.first[lowest_bit(rest)];
    values[count] = l.request.value;
    results[count] = l.request.result;
    operations[count++] = l.request.fold_operation;
  }
  w.first[lowest_bit(here)].request.fold(count, count == width, values, results, operations);
}

void finish_match(wave const& w, lane_word here, bool all) {
  for (lane_word rest = here; rest != 0; rest &= rest - 1) {
    wave_request& mine = w.first[lowest_bit(rest)].request;
    mine.ballot = 0;
    for (lane_word others = here; others != 0; others &= others - 1)
      if (std::memcmp(mine.value, w.first[lowest_bit(others)].request.value, mine.bytes) == 0)
        mine.ballot |= others & (~others + 1);
    if (all) mine.ballot = mine.ballot == here;
  }
}

void finish_vote(wave const& w, lane_word here, wave_operation operation) {
  lane_word votes = 0;
  for (lane_word rest = here; rest != 0; rest &= rest - 1)
    if (w.first[lowest_bit(rest)].request.predicate) votes |= rest & (~rest + 1);
  lane_word const result = operation == wave_operation::any   ? votes != 0
                           : operation == wave_operation::all ? votes == here
                                                              : votes;
  for (lane_word rest = here; rest != 0; rest &= rest - 1) w.first[lowest_bit(rest)].request.ballot = result;
}

}  // namespace

// Computes what everybody gets, and wakes the lanes that wait. The one that came last just goes on.
void block::finish_wave_operation(wave& w, gathering finished) {
  lane_word const here = finished.here;
  wave_operation const operation = w.request_of(finished).operation;
  if constexpr (checking) check::wave_synchronised(w, here, operation == wave_operation::sync);
  switch (operation) {
    case wave_operation::shuffle:
      finish_shuffle(w, here, launch_->how.wave_size);
      break;
    case wave_operation::fold:
      finish_fold(w, here, launch_->how.wave_size);
      break;
    case wave_operation::match_any:
    case wave_operation::match_all:
      finish_match(w, here, operation == wave_operation::match_all);
      break;
    case wave_operation::sync:
    case wave_operation::any:
    case wave_operation::all:
    case wave_operation::ballot:
      finish_vote(w, here, operation);
      break;
  }
  std::erase_if(w.gatherings, [&](gathering const& g) { return g.members == finished.members; });
  for (lane_word rest = here; rest != 0; rest &= rest - 1) {
    lane& l = w.first[lowest_bit(rest)];
    if (&l == current)
      l.state = lane_state::runnable;
    else
      wake(l);
  }
}

// The lane has returned. The whole wave does not wait for it; a group that names it does, in vain.
void block::leave_gatherings(lane const& l) {
  wave& w = *l.own_wave;
  w.live &= ~(lane_word{1} << l.place);
  for (gathering const& g : w.gatherings) {
    if (g.members == whole_wave && g.here == w.live) return finish_wave_operation(w, g);
    if (g.members != whole_wave && (g.members >> l.place & 1) != 0) return fail_member_returned(l, g);
  }
}

lane_word block::ask_who_is_here(lane& l) noexcept {
  ++asking_;
  l.state = lane_state::asking;
  l.reads.forget();
  leave(l);
  return l.request.ballot;
}

// Answers in a wave, or in each, in which nobody else can come: all other lanes have returned, wait for other lanes, or
// wait for a word that has not changed. True if somebody has been answered.
bool block::answer_who_is_here() {
  bool answered = false;
  for (wave& w : waves_) answered |= answer_who_is_here(w);
  return answered;
}

bool block::answer_who_is_here(wave& w) {
  auto const can_come = [](lane const& l) {
    return (l.state == lane_state::runnable && !l.reads.spinning()) ||
           (l.state == lane_state::watching && l.watched.changed());
  };
  lane_word asking = 0;
  for (unsigned i = 0; i < w.lanes; ++i) {
    if (can_come(w.first[i])) return false;
    if (w.first[i].state == lane_state::asking) asking |= lane_word{1} << i;
  }
  bool const answered = asking != 0;
  while (asking != 0) {
    detail::call_site const site = w.first[lowest_bit(asking)].request.site;
    lane_word here = 0;
    for (lane_word rest = asking; rest != 0; rest &= rest - 1) {
      detail::call_site const& other = w.first[lowest_bit(rest)].request.site;
      if (other.line == site.line && std::strcmp(other.file, site.file) == 0) here |= rest & (~rest + 1);
    }
    for (lane_word rest = here; rest != 0; rest &= rest - 1) {
      lane& l = w.first[lowest_bit(rest)];
      l.request.ballot = here;
      --asking_;
      wake(l);
    }
    asking &= ~here;
  }
  return answered;
}

namespace {

// The calling lane, with an empty request.
lane& requesting(char const* operation, wave_operation what, lane_word members) noexcept {
  lane& self = inside_kernel(operation);
  self.request = {};
  self.request.operation = what;
  self.request.members = members;
  return self;
}

lane_word vote(wave_operation operation, bool predicate, lane_word members = whole_wave) noexcept {
  lane& self = requesting("a wave vote", operation, members);
  self.request.predicate = predicate;
  return self.home->gather_wave(self);
}

}  // namespace

void wave_shuffle(shuffle how, void const* value, void* result, std::size_t bytes, unsigned argument,
                  lane_word members) noexcept {
  note_place();
  lane& self = requesting("a wave shuffle", wave_operation::shuffle, members);
  self.request.how = how;
  self.request.argument = argument;
  self.request.bytes = bytes;
  self.request.value = const_cast<void*>(value);
  self.request.result = result;
  self.home->gather_wave(self);
}

lane_word wave_match(bool all, void const* value, std::size_t bytes, lane_word members) noexcept {
  note_place();
  lane& self = requesting("a wave match", all ? wave_operation::match_all : wave_operation::match_any, members);
  self.request.bytes = bytes;
  self.request.value = const_cast<void*>(value);
  return self.home->gather_wave(self);
}

void wave_fold(fold_function fold, void* value, void* result, std::size_t bytes, void const* operation,
               lane_word members) noexcept {
  note_place();
  lane& self = requesting("a reduction or a scan", wave_operation::fold, members);
  self.request.bytes = bytes;
  self.request.value = value;
  self.request.result = result;
  self.request.fold = fold;
  self.request.fold_operation = operation;
  self.home->gather_wave(self);
}

}  // namespace host

void wave_sync() noexcept {
  host::note_place();
  host::vote(host::wave_operation::sync, false);
}
bool wave_any(bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::any, predicate) != 0;
}
bool wave_all(bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::all, predicate) != 0;
}
lane_word wave_ballot(bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::ballot, predicate);
}

void lanes_sync(lane_word members) noexcept {
  host::note_place();
  host::vote(host::wave_operation::sync, false, members);
}
bool lanes_any(lane_word members, bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::any, predicate, members) != 0;
}
bool lanes_all(lane_word members, bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::all, predicate, members) != 0;
}
lane_word lanes_ballot(lane_word members, bool predicate) noexcept {
  host::note_place();
  return host::vote(host::wave_operation::ballot, predicate, members);
}

lane_word active_lanes(detail::call_site site) noexcept {
  host::note_place();
  host::lane& self = host::inside_kernel("active_lanes()");
  self.request = {};
  self.request.site = site;
  return self.home->ask_who_is_here(self);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
