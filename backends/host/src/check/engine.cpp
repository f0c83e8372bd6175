// What every event means for the order of accesses.
#include "engine.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>

#include "../block.hpp"
#include "../launch.hpp"
#include "../shared_memory.hpp"
#include "findings.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "records.hpp"
#include "strategy.hpp"
#include "waits.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

struct block_record {
  launch_record* launch = nullptr;
  std::vector<lane_record> lanes;
};

// Never destroyed: lanes may still run while the program ends.
template <class Key, class Value>
using table = std::unordered_map<Key, std::unique_ptr<Value>>;
table<launch_state const*, launch_record>& launches() {
  static auto& all = *new table<launch_state const*, launch_record>;
  return all;
}
table<node, block_record>& blocks() {  // by block node
  static auto& all = *new table<node, block_record>;
  return all;
}
// Of blocks that have ended: the next ones need not ask for as much memory again.
std::vector<std::unique_ptr<block_record>>& spare_blocks() {
  static auto& all = *new std::vector<std::unique_ptr<block_record>>;
  return all;
}
// What sequentially consistent operations have shown to each other.
clock_ref& sequential() {
  static auto& c = *new clock_ref;
  return c;
}

lane_record& record_of(lane& l) noexcept { return *l.checked; }

block_record& record_of(block& b) noexcept {
  lane_record const& first = record_of(b.lanes().front());
  return *blocks()[first.launch->numbers.block_node(first.block)];
}

tick newest_of(std::span<lane_record const> lanes) noexcept {
  tick newest = 0;
  for (lane_record const& r : lanes) newest = std::max(newest, r.now);
  return newest;
}

// What the lanes know together, but for what they have done themselves.
clock_ref knowledge_of(std::span<lane_record const> lanes) {
  clock_ref all, last_base, last_extra;
  for (lane_record const& r : lanes) {
    if (!(r.base == last_base)) all = joined(all, last_base = r.base);
    if (!(r.extra == last_extra)) all = joined(all, last_extra = r.extra);
  }
  return all;
}

// All lanes of the block know what any of them knows and has done, and `more`.
void synchronise_block(block_record& b, clock_ref const& more) {
  lane_record const& first = b.lanes.front();
  tick const now = newest_of(b.lanes) + 1;
  clock_ref const base =
      with(joined(knowledge_of(b.lanes), more), {first.launch->numbers.block_node(first.block), now});
  for (lane_record& r : b.lanes) {
    r.base = base;
    r.base_of_block = now;
    r.extra = {};
    r.now = now;
    r.polled = 0;
    r.visits.clear();
  }
  report_waits_for_block(b.lanes);
}

memory_access as_memory(access const& a, bool write, bool also_reads = false) noexcept {
  return {reinterpret_cast<std::uintptr_t>(a.address), a.bytes, write, true, a.scope, false, also_reads};
}

// What every atomic access begins with: the word, up to date with what memory held before the access.
sync_word& touch(lane_record& r, access const& a, std::uint64_t in_memory, memory_access const& m, stack_id here) {
  sync_word& w = word_at(a.address, a.bytes, in_memory);
  catch_up(w, in_memory);
  if (detail::releases(a.order) || detail::acquires(a.order)) w.synchronises = true;
  if (a.scope > w.widest) {
    w.widest = a.scope;
    w.widest_at = here;
  }
  if (w.first_user == nobody)
    w.first_user = r.self;
  else if (!r.in_block(w.first_user))
    w.several_blocks = true;
  check_access(r, m, here);
  return w;
}

void become_sequential(lane_record& r) {
  static std::uint64_t time = 0;
  r.sequential_time = ++time;
  for (std::uintptr_t const address : r.read_since) {
    sync_word* const w = known_word_at(address);
    if (w == nullptr) continue;
    std::uint64_t const number = w->seen.of(r.self);
    if (w->sequential.empty() || w->sequential.back().second < number) w->sequential.emplace_back(time, number);
  }
  r.read_since.clear();
  r.seen = joined(r.seen, sequential());
  sequential() = joined(sequential(), snapshot_of(r)->flat());
}

// The lane has read the word from the store.
void read_from(lane_record& r, sync_word& w, store_record const& s, access const& a, stack_id here) {
  if (s.heads) {
    if (detail::acquires(a.order)) {
      acquire(r, s.heads, a.scope);
    } else {
      constexpr std::size_t most_pending = 64;
      auto const known = std::find_if(r.pending.begin(), r.pending.end(), [&](pending_acquire const& p) {
        return p.heads == s.heads && p.scope == a.scope;
      });
      if (known == r.pending.end()) {
        if (r.pending.size() == most_pending) r.pending.erase(r.pending.begin());
        broken_edge const edge{broken::no_acquire, s.source, s.heads,   r.self,  r.now,
                               w.address,          s.stack,  here,    s.scope, a.scope};
        r.pending.push_back({s.heads, a.scope, edge, s.lane, s.when});
      }
    }
  }
  if (s.lane == nobody || s.lane == r.self || !s.source || r.knows(s.lane, s.when)) return;
  bool const out_of_reach =
      !reach_each_other(r, a.scope, s.lane, s.scope) ||
      (s.heads && std::any_of(s.heads->parts.begin(), s.heads->parts.end(), [&](release_heads::part const& p) {
         return !in_group(*r.launch, p.scope, p.lane, r.self);
       }));
  if (s.heads && detail::acquires(a.order) && !out_of_reach) return;  // it has synchronised, with an earlier release
  broken const why = !s.heads ? broken::no_release : !detail::acquires(a.order) ? broken::no_acquire : broken::scope;
  note_broken_edge({why, s.source, s.heads, r.self, r.now, w.address, s.stack, here, s.scope, a.scope});
}

// A store that puts the first value back, while modifications are around that nothing orders before it.
void look_for_reset(lane_record& r, sync_word& w, std::uint64_t now) {
  if (now != w.initial || !w.ever_modified || w.blamed) return;
  for (std::size_t i = w.stores.size(); i-- > 0;) {
    store_record const* const s = &w.stores[i];
    if (s->lane == nobody || s->lane == r.self || !s->changes || s->value == w.initial || r.knows(s->lane, s->when))
      continue;
    report(finding_kind::reset_unordered,
           "the store puts the word back to its first value, and nothing orders a modification by another thread "
           "before it",
           {place_of(r, r.stack(), "the reset"), place_of(s->lane, s->stack, "a modification")},
           name_of(reinterpret_cast<void const*>(w.address), w.bytes),
           "let the thread that has seen the last modification (with acquire) reset the word, or count on without a "
           "reset");
    w.blamed = true;
    return;
  }
}

void advise(sync_word const& w) {
  if (w.several_blocks || w.first_user == nobody || w.widest < thread_scope::device || w.widest_at == no_stack) return;
  if (layout_of(w.first_user).blocks == 1) return;  // one block cannot tell
  report(finding_kind::wider_than_needed, "only threads of one block use this word, at device scope or wider",
         {place_of(w.first_user, w.widest_at, "access at a wide scope")},
         name_of(reinterpret_cast<void const*>(w.address), w.bytes), "thread_scope_block is enough, and cheaper");
}

}  // namespace

lane_record* lane_record_of(node lane) noexcept {
  layout const& l = layout_of(lane);
  if (!l.has(lane)) return nullptr;
  auto const found = blocks().find(l.block_node(l.block_of(lane)));
  return found == blocks().end() ? nullptr : &found->second->lanes[l.rank_of(lane)];
}

void lane_returned(lane& self) {
  lane_record& r = record_of(self);
  r.returned = true;
  report_waits_for_returned(r);
}

void launch_begins(launch_state& launch) {
  take_note_of_host();
  if (no_layouts()) {
    forget_suspected_waits();
    begin_generation();
    forget_all_words();
    forget_broken_edges();
    sequential() = {};
  }
  auto r = std::make_unique<launch_record>();
  r->numbers = add_layout(launch.blocks, launch.threads, launch.how.wave_size);
  r->cluster = launch.request.config.cluster;
  launches()[&launch] = std::move(r);
}

void launch_ends(launch_state& launch) {
  auto const found = launches().find(&launch);
  if (found == launches().end()) return;
  if (advice() && !launch.failed())
    for (auto const& [address, w] : all_words()) advise(*w);
  remove_layout(found->second->numbers.launch);
  launches().erase(found);
}

void block_begins(block& b, unsigned number) {
  take_note_of_host();
  if (!launches().contains(&b.launch())) launch_begins(b.launch());
  launch_record& launch = *launches().at(&b.launch());
  if (spare_blocks().empty()) spare_blocks().push_back(std::make_unique<block_record>());
  std::unique_ptr<block_record> r = std::move(spare_blocks().back());
  spare_blocks().pop_back();
  r->launch = &launch;
  r->lanes.resize(launch.numbers.lanes);
  for (unsigned rank = 0; rank < launch.numbers.lanes; ++rank) {
    lane_record& l = r->lanes[rank];
    l.launch = &launch;
    l.self = launch.numbers.lane_node(number, rank);
    l.block = number;
    l.block_nodes = launch.numbers.block_node(number);
    l.nodes_of_block = launch.numbers.stride();
    b.lanes()[rank].checked = &l;
  }
  blocks()[launch.numbers.block_node(number)] = std::move(r);
}

void block_ends(block& b) {
  if (b.lanes().empty()) return;
  lane_record const& first = record_of(b.lanes().front());
  auto ended = blocks().extract(first.launch->numbers.block_node(first.block));
  for (lane_record& l : ended.mapped()->lanes) l.forget();
  spare_blocks().push_back(std::move(ended.mapped()));
}

void plain_access(lane& self, void const* p, std::size_t bytes, bool is_write, bool is_volatile, void const* pc) {
  lane_record& r = record_of(self);
  if (r.inside != 0) return;
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  // What lies on its own stack is the lane's alone.
  if (address - reinterpret_cast<std::uintptr_t>(self.stack.bottom) < self.stack.bytes) return;
  check_access(r, {address, bytes, is_write, false, thread_scope::thread, is_volatile, false}, r.calls.at(pc));
}

std::uint64_t observe(lane& self, access const& a, std::uint64_t newest) {
  lane_record& r = record_of(self);
  stack_id const here = r.stack();
  sync_word& w = touch(r, a, newest, as_memory(a, false), here);
  if (a.order == std::memory_order_seq_cst) become_sequential(r);
  store_record const& s = choose_store(r, w);
  read_from(r, w, s, a, here);
  look_for_wait(r, w, s, here);
  return s.value;
}

void observe_newest(lane& self, access const& a, std::uint64_t newest) {
  lane_record& r = record_of(self);
  stack_id const here = r.stack();
  sync_word& w = touch(r, a, newest, as_memory(a, false), here);
  store_record const& s = w.stores.back();
  note_seen(r, w, s.number);
  read_from(r, w, s, a, here);
  look_for_wait(r, w, s, here);
}

namespace {

// The store that the lane makes now, with what it releases.
void add_store(lane_record& r, sync_word& w, access const& a, std::uint64_t value, heads_ref heads, bool changes,
               stack_id here) {
  snapshot_ref const& source = snapshot_of(r);
  tick const when = r.now;
  if (detail::releases(a.order)) {
    heads = with_head(heads, r, source, a.scope);
    ++r.now;
  } else if (r.has_fenced) {
    for (std::size_t scope = 0; scope < r.fenced.size(); ++scope)
      if (r.fenced[scope])
        heads = with_head(heads, r, r.fenced[scope], std::min(static_cast<thread_scope>(scope), a.scope));
  }
  // Where it is kept: one that is made elsewhere would have to be moved.
  store_record& s = append(w);
  s.value = value;
  s.lane = r.self;
  s.when = when;
  s.scope = a.scope;
  s.stack = here;
  s.xcd = xcds() == 1 ? 0 : r.block % xcds();
  s.heads = std::move(heads);
  s.source = source;
  s.changes = changes;
  if (a.order == std::memory_order_seq_cst) become_sequential(r);
}

}  // namespace

void before_store(lane& self, access const& a, std::uint64_t old, std::uint64_t now) {
  lane_record& r = record_of(self);
  stack_id const here = r.stack();
  sync_word& w = touch(r, a, old, as_memory(a, true), here);
  look_for_reset(r, w, now);
  add_store(r, w, a, now, {}, old != now, here);
  r.polled = 0;
}

void modified(lane& self, access const& a, std::uint64_t old, std::uint64_t now) {
  lane_record& r = record_of(self);
  memory_access m = as_memory(a, true, true);
  std::uint64_t const poisoned = poison * (~std::uint64_t{0} / 0xFF);
  m.found_poison = a.bytes <= 8 && (old ^ poisoned) << (64 - 8 * a.bytes) == 0;
  stack_id const here = r.stack();
  sync_word& w = touch(r, a, old, m, here);
  if (a.order == std::memory_order_seq_cst) become_sequential(r);
  store_record const& s = w.stores.back();
  read_from(r, w, s, a, here);
  look_for_wait(r, w, s, here, old == now);
  if (old != now) {
    w.ever_modified = true;
    r.polled = 0;
  }
  add_store(r, w, a, now, s.heads, old != now, here);
}

void fence(lane& self, thread_scope scope, std::memory_order order) {
  lane_record& r = record_of(self);
  if (detail::acquires(order)) {
    // What the fence does not reach is left for a wider one.
    std::erase_if(r.pending, [&](pending_acquire& p) {
      acquire(r, p.heads, std::min(p.scope, scope));
      if (p.store_lane == nobody || r.knows(p.store_lane, p.store_time) ||
          in_group(*r.launch, scope, r.self, p.store_lane))
        return true;
      broken_edge edge = p.edge;
      edge.why = broken::scope;
      edge.read_scope = std::min(p.scope, scope);
      edge.target_time = r.now;
      note_broken_edge(std::move(edge));
      return false;
    });
  }
  if (detail::releases(order)) {
    r.fenced[static_cast<std::size_t>(scope)] = snapshot_of(r);
    r.has_fenced = true;
    ++r.now;
  }
  if (order == std::memory_order_seq_cst) become_sequential(r);
}

void waits_for(lane& self, void const* address) {
  lane_record& r = record_of(self);
  auto const number = reinterpret_cast<std::uintptr_t>(address);
  sync_word* const w = known_word_at(number);
  if (w != nullptr) w->synchronises = true;
  if (r.polled == number) r.polls += enough_polls;  // it says itself that it waits
}

void publishes(lane& self, void const* slot, std::uint64_t bits, std::uint64_t empty) {
  lane_record& r = record_of(self);
  auto const address = reinterpret_cast<std::uintptr_t>(slot);
  sync_word* const w = known_word_at(address);
  if (w != nullptr) w->synchronises = true;
  if (bits == empty)
    report(finding_kind::sentinel_collision,
           "the value is the pattern that means empty: whoever waits for it waits for ever",
           {place_of(r, r.stack(), "publish")}, name_of(slot, w != nullptr ? w->bytes : 4),
           "let sentinel_traits<T>::canonicalise send another value in its stead, choose a pattern that no value has, "
           "or use flagged<T>");
  if (w == nullptr) return;
  store_record const& last = w->stores.back();
  if (last.value != empty || last.lane == nobody || last.lane == r.self || r.knows(last.lane, last.when)) return;
  report(finding_kind::rearm_unordered,
         "the slot has been emptied by another thread, and nothing orders that before it is filled again",
         {place_of(r, r.stack(), "publish"), place_of(last.lane, last.stack, "reset")}, name_of(slot, w->bytes),
         "a barrier, or a release and an acquire, between the reset and the next publish");
}

void rearms(lane& self, void const* slot) {
  lane_record& r = record_of(self);
  sync_word const* const w = known_word_at(reinterpret_cast<std::uintptr_t>(slot));
  // Who has read the newest store resets behind it, by coherence.
  bool const has_read = w != nullptr && (w->stores.back().lane == r.self ||  // or stored it
                                         w->seen.of(r.self) >= w->stores.back().number);
  record const* const earlier = unordered_access(r, reinterpret_cast<std::uintptr_t>(slot), !has_read);
  if (earlier == nullptr) return;
  report(finding_kind::rearm_unordered,
         "the slot is emptied, and nothing orders the last access by another thread before that",
         {place_of(r, r.stack(), "reset"), place_of(earlier->lane, earlier->stack, "access to the slot")},
         name_of(slot, w != nullptr ? w->bytes : 4),
         "a barrier, or a release and an acquire, between the last await of the old value and the reset");
}

void block_synchronised(block& b) { synchronise_block(record_of(b), {}); }

void arrived_at_split(lane& self) {
  lane_record& r = record_of(self);
  r.at_arrival = snapshot_of(r);
  ++r.now;
}

void block_split_synchronised(block& b) {
  block_record& record = record_of(b);
  auto own = std::make_unique<clock>();
  clock_ref all, last_base, last_extra;
  for (lane_record& r : record.lanes) {
    snapshot const& s = *r.at_arrival;
    if (!(s.base == last_base)) all = joined(all, last_base = s.base);
    if (!(s.extra == last_extra)) all = joined(all, last_extra = s.extra);
    own->entries.push_back(s.own);
  }
  all = joined(all, clock_ref(own.release()));
  for (lane_record& r : record.lanes) {
    r.extra = joined(r.extra, all);
    r.polled = 0;
  }
}

void grid_arrived(block& b) {
  block_record& r = record_of(b);
  launch_record& launch = *r.launch;
  synchronise_block(r, {});
  launch.grid_arriving = joined(launch.grid_arriving, r.lanes.front().base);
  if (++launch.grid_arrived < launch.numbers.blocks) return;
  launch.grid_complete = std::move(launch.grid_arriving);
  launch.grid_arriving = {};
  launch.grid_arrived = 0;
}

void grid_left(block& b) {
  block_record& r = record_of(b);
  synchronise_block(r, r.launch->grid_complete);
}

void cluster_arrived(block& b, cluster_state& c) {
  block_record& r = record_of(b);
  launch_record::cluster_barrier& barrier = r.launch->clusters[&c];
  synchronise_block(r, {});
  barrier.arriving = joined(barrier.arriving, r.lanes.front().base);
  if (++barrier.arrived < r.launch->cluster) return;
  barrier.complete = std::move(barrier.arriving);
  barrier.arriving = {};
  barrier.arrived = 0;
}

void cluster_left(block& b, cluster_state& c) {
  block_record& r = record_of(b);
  synchronise_block(r, r.launch->clusters[&c].complete);
}

void wave_synchronised(wave& w, lane_word here, bool orders) {
  lane_record* const first = w.first->checked;
  std::span<lane_record> const lanes(first, w.lanes);
  auto const each = [&](auto&& visit) {
    for (lane_word rest = here; rest != 0; rest &= rest - 1) visit(lanes[lowest_bit(rest)]);
  };
  each([](lane_record& r) { r.polled = 0; });
  if (!orders) return;
  clock_ref all;
  if (count_bits(here) == w.lanes) {
    tick const now = newest_of(lanes) + 1;
    all = with(knowledge_of(lanes),
               {first->launch->numbers.wave_node(first->block, w.first->rank / first->launch->numbers.wave_size), now});
    for (lane_record& r : lanes) r.now = now;
  } else {
    auto own = std::make_unique<clock>();
    each([&](lane_record& r) {
      all = joined(all, r.extra);
      own->entries.push_back({r.self, ++r.now});
    });
    all = joined(all, clock_ref(own.release()));
  }
  each([&](lane_record& r) { r.extra = all; });
}

// A lane that has let others run more than once since its last operation is in a loop without any.
std::vector<void const*> frames_of(lane const& l) {
  lane_record const& r = *l.checked;
  return r.calls.frames(r.turns_in_blocks > 1 ? r.block_pc : r.pc);
}

void note_place(lane& self, void const* pc) noexcept {
  lane_record& r = record_of(self);
  r.pc = pc;
  r.turns_in_blocks = 0;
}
void note_block(lane& self, void const* pc) noexcept {
  lane_record& r = record_of(self);
  r.block_pc = pc;
  ++r.turns_in_blocks;
}
void enter_runtime(lane& self) noexcept { ++record_of(self).inside; }
void leave_runtime(lane& self) noexcept { --record_of(self).inside; }
bool inside_runtime(lane const& self) noexcept { return self.checked->inside != 0; }

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
