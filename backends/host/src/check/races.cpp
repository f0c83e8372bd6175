#include "races.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "../text.hpp"
#include "engine.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

constexpr std::size_t most_broken_edges = 4096;
// Of the reads and the atomic writes of a word by lanes that nothing orders so many are kept, a power of two: where
// more lanes than that read a word, they are a sample.
constexpr std::size_t most_in_crowd = 32;

last_ones<broken_edge, most_broken_edges>& broken_edges() {
  // Never destroyed: lanes may still run while the program ends.
  static auto& all = *new last_ones<broken_edge, most_broken_edges>;
  return all;
}

std::string describe(bool atomic, bool write, bool is_volatile, thread_scope scope, std::size_t bytes) {
  std::string text = atomic ? "atomic " : is_volatile ? "volatile " : "plain ";
  text += write ? "write of " : "read of ";
  text += std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  if (atomic) text += std::string(" at ") + scope_name(scope) + " scope";
  return text;
}

std::string describe(record const& earlier, bool write) {
  return describe(earlier.atomic, write, earlier.volatile_access, static_cast<thread_scope>(earlier.scope),
                  earlier.size);
}

bool would_hand_on(broken_edge const& e, record const& earlier) {
  if (e.source->knows(earlier.lane, earlier.when)) return true;
  if (!e.heads) return false;
  if (e.heads->wide && e.heads->wide->knows(earlier.lane, earlier.when)) return true;
  return std::any_of(e.heads->parts.begin(), e.heads->parts.end(),
                     [&](release_heads::part const& p) { return p.knows->knows(earlier.lane, earlier.when); });
}

// The read that would have ordered the earlier access before this one, had it synchronised: the lane's own, one that
// the lane knows of, or one that such a read would have told it of.
broken_edge const* reason(lane_record const& r, record const& earlier) {
  constexpr std::size_t most_steps = 64;
  std::vector<snapshot_ref> would_know;
  auto const& edges = broken_edges();
  for (std::size_t i = edges.size(); i-- > 0;) {
    broken_edge const* const e = &edges[i];
    bool const reaches = e->target == r.self || r.knows(e->target, e->target_time) ||
                         std::any_of(would_know.begin(), would_know.end(),
                                     [&](snapshot_ref const& s) { return s->knows(e->target, e->target_time); });
    if (!reaches) continue;
    if (would_hand_on(*e, earlier)) return e;
    if (would_know.size() < most_steps) would_know.push_back(e->source);
  }
  return nullptr;
}

struct verdict {
  finding_kind kind;
  std::string message, advice;
};

verdict explain(broken_edge const& e, std::string const& word) {
  switch (e.why) {
    case broken::no_release:
      return {finding_kind::missing_release,
              "the second side has read " + word +
                  " after the first one's thread stored it, but that store does not release",
              "store with memory_order_release (or a release fence before it), and load with memory_order_acquire"};
    case broken::no_acquire:
      return {finding_kind::missing_acquire,
              "the second side has read " + word + ", which was stored with release, but that load does not acquire",
              "load with memory_order_acquire, or put an acquire fence behind the load"};
    case broken::scope:
      return {
          finding_kind::insufficient_scope,
          "the store to " + word + " has " + scope_name(e.store_scope) + " scope and the load " +
              scope_name(e.read_scope) + " scope, and one of them does not reach the other side's thread",
          "use a scope that includes both threads on both sides: thread_scope_device for threads of different blocks"};
    case broken::plain:
      break;
  }
  return {finding_kind::data_race, "", ""};
}

void report_race(lane_record& r, memory_access const& a, stack_id stack, record const& earlier, bool earlier_writes) {
  static auto& told = *new std::set<std::tuple<std::uint64_t, stack_id, stack_id>>;
  if (!told.insert({generation(), earlier.stack, stack}).second) return;
  sync_word* const w = known_word_at(a.address);
  if (w != nullptr && w->blamed) return;
  verdict v{
      finding_kind::data_race, "nothing orders the two accesses",
      "order them: a barrier (this_block().sync(), this_wave().sync()) between threads of one block, a release and "
      "an acquire at device scope between blocks; or make both atomic"};
  if (earlier.atomic && a.atomic && earlier.size != a.bytes) {
    v = {finding_kind::mixed_access,
         "two atomic accesses of different sizes: the smaller one may see a part of the other, or none",
         "access the word in one size everywhere, or order the two"};
    if (w != nullptr) w->blamed = true;
  } else if (earlier.atomic && a.atomic) {
    v = {finding_kind::insufficient_scope,
         std::string("two atomic accesses, one at ") + scope_name(static_cast<thread_scope>(earlier.scope)) +
             " and one at " + scope_name(a.scope) +
             " scope: a scope that does not include the other thread makes them a race",
         "use a scope that includes both threads in both places"};
    if (w != nullptr) w->blamed = true;
  } else if (earlier.atomic || a.atomic) {
    bool const synchronises = w != nullptr && w->synchronises;
    v = {synchronises ? finding_kind::non_atomic_sync_word : finding_kind::mixed_access,
         synchronises ? "threads synchronise by this word, and one of the accesses to it is not atomic"
                      : "one of the two accesses is atomic, the other is not, and nothing orders them",
         "make both accesses atomic, or order the plain one by a barrier or by release and acquire"};
    if (w != nullptr) w->blamed = true;
  } else if (broken_edge const* const e = reason(r, earlier)) {
    sync_word* const signal = known_word_at(e->address);
    if (e->why == broken::plain || (signal != nullptr && signal->blamed)) return;  // told already
    if (signal != nullptr) signal->blamed = true;
    v = explain(*e, name_of(reinterpret_cast<void const*>(e->address), signal != nullptr ? signal->bytes : 4));
  } else if (earlier_writes && !a.write) {
    // What follows from the value that was read is no news.
    if (lane_record* const writer = lane_record_of(earlier.lane))
      note_broken_edge({broken::plain,
                        snapshot_of(*writer),
                        {},
                        r.self,
                        r.now,
                        a.address,
                        earlier.stack,
                        stack,
                        thread_scope::thread,
                        thread_scope::thread});
  }
  if (v.kind == finding_kind::data_race && (earlier.volatile_access || a.is_volatile))
    v.message += "; volatile orders nothing and is not atomic";
  report(v.kind, v.message,
         {place_of(r, stack, describe(a)), place_of(earlier.lane, earlier.stack, describe(earlier, earlier_writes))},
         name_of(reinterpret_cast<void const*>(a.address), static_cast<unsigned>(a.bytes)), v.advice);
}

bool is_anothers(lane_record const& r, std::uint8_t mask, record const& earlier) noexcept {
  return earlier.lane != nobody && earlier.lane != r.self && (earlier.bytes & mask) != 0;
}

// Whether another lane's access of overlapping bytes is unordered, and one that matters.
bool races(lane_record const& r, memory_access const& a, record const& earlier) noexcept {
  if (a.atomic && earlier.atomic && earlier.size == a.bytes &&
      reach_each_other(r, a.scope, earlier.lane, static_cast<thread_scope>(earlier.scope)))
    return false;
  return !r.knows(earlier.lane, earlier.when) && !ended_before(earlier.lane, r.launch->numbers);
}

// Puts the record among those of lanes that nothing orders. Each wave has a set of two places, of its last two lanes;
// it shares it with other waves where there are many.
void join_crowd(lane_record const& r, std::vector<record>& crowd, record const& one) {
  if (crowd.empty()) crowd.resize(most_in_crowd);
  // Nearly all are of the block of the lane that runs, of which the number is known without a division.
  layout const& l = r.in_block(one.lane) ? r.launch->numbers : layout_of(one.lane);
  unsigned const block = r.in_block(one.lane) ? r.block : l.block_of(one.lane);
  unsigned const wave = block * l.waves + (one.lane - l.lane_node(block, 0)) / l.wave_size;
  record* const set = &crowd[(wave * 4u + one.bytes) * 2654435761u >> 8 & (most_in_crowd - 2)];
  record& older = set[0].lane == one.lane || set[0].lane == nobody ? set[0] : set[1];
  if (older.lane != nobody && older.lane != one.lane) set[0] = set[1];
  older = one;
}

// Adds a write to the crowd, and to what is said of all writes in it.
void join_writers(lane_record const& r, word_shadow::crowd& crowd, record const& one) {
  node block_nodes = r.block_nodes;
  if (!r.in_block(one.lane)) {
    layout const& l = layout_of(one.lane);
    block_nodes = l.block_node(l.block_of(one.lane));
  }
  if (crowd.writes.empty()) {
    crowd.alike = one.atomic;
    crowd.size = one.size;
    crowd.narrowest = one.scope;
    crowd.block_nodes = block_nodes;
  } else {
    crowd.alike = crowd.alike && one.atomic && crowd.size == one.size;
    crowd.narrowest = std::min(crowd.narrowest, one.scope);
    if (crowd.block_nodes != block_nodes) crowd.block_nodes = nobody;
  }
  join_crowd(r, crowd.writes, one);
}

// Whether no write of the crowd can race with the atomic access; one answer for all of them.
bool reaches_all_writers(lane_record const& r, memory_access const& a, word_shadow::crowd const& crowd) noexcept {
  if (!a.atomic || !crowd.alike || crowd.size != a.bytes) return false;
  thread_scope const narrowest = std::min(a.scope, static_cast<thread_scope>(crowd.narrowest));
  return narrowest >= thread_scope::device || (narrowest >= thread_scope::block && crowd.block_nodes == r.block_nodes);
}

void check_word(lane_record& r, memory_access const& a, std::uint8_t mask, word_shadow& s, stack_id stack) {
  // Made member by member where it shall be: a copy of something just made would wait for the stores.
  auto const put = [&](record& to) {
    to.lane = r.self;
    to.when = r.now;
    to.stack = stack;
    to.bytes = mask;
    to.size = static_cast<std::uint8_t>(std::min<std::size_t>(a.bytes, 255));
    to.scope = static_cast<std::uint8_t>(a.scope);
    to.atomic = a.atomic;
    to.volatile_access = a.is_volatile;
  };
  auto const try_one = [&](record const& earlier, bool earlier_writes) __attribute__((always_inline)) {
    if (is_anothers(r, mask, earlier) && races(r, a, earlier)) report_race(r, a, stack, earlier, earlier_writes);
  };
  try_one(s.write, true);
  if (a.write) try_one(s.read, false);
  if (word_shadow::crowd* const more = s.more()) {
    if (!more->writes.empty() && !reaches_all_writers(r, a, *more))
      for (record const& earlier : more->writes) try_one(earlier, true);
    if (a.write)
      for (record const& earlier : more->reads) try_one(earlier, false);
  }
  auto const covered = [&](record const& earlier) { return (earlier.bytes & ~mask) == 0; };
  if (!a.write) {
    if (s.read.lane == nobody || (s.read.lane == r.self && covered(s.read)) ||
        (covered(s.read) && r.knows(s.read.lane, s.read.when))) {
      put(s.read);
    } else {
      record mine;
      put(mine);
      join_crowd(r, s.crowded().reads, mine);
    }
    return;
  }
  if (!a.atomic) {
    // Whatever comes now is ordered behind this write, or races with it.
    if (covered(s.read)) s.read = {};
    if (s.write.lane != nobody && !covered(s.write)) join_writers(r, s.crowded(), s.write);
    put(s.write);
    if (word_shadow::crowd* const more = s.more()) {
      for (auto* const crowd : {&more->writes, &more->reads})
        for (record& earlier : *crowd)
          if (covered(earlier)) earlier = {};
      if (std::all_of(more->writes.begin(), more->writes.end(), [](record const& w) { return w.lane == nobody; }))
        more->writes.clear();
    }
    return;
  }
  if (s.write.lane != nobody && s.write.lane != r.self) {
    if (!(covered(s.write) && r.knows(s.write.lane, s.write.when))) join_writers(r, s.crowded(), s.write);
  }
  put(s.write);
}

// The part of an access that lies in one word, from `address` on. False if no other part must be looked at.
[[gnu::always_inline]] inline bool check_part(lane_record& r, memory_access const& a, std::uintptr_t address,
                                              std::size_t bytes, stack_id stack) {
  shadow_page& page = page_of(address);
  if (page.ignored) return false;
  std::size_t const at = address % shadow_page::bytes;
  if (page.suspicious(at, bytes) && !check_marks(r, a, page, at, bytes, stack)) return false;
  auto const mask = static_cast<std::uint8_t>(((1u << bytes) - 1) << address % 4);
  word_shadow& s = page.words(generation())[at / 4];
  // The same again by the same lane is no news.
  bool const repeated = a.write ? s.write.lane == r.self && s.write.when == r.now && s.write.bytes == mask &&
                                      s.write.atomic == a.atomic && s.read.lane == nobody && s.more() == nullptr
                                : s.read.lane == r.self && s.read.when == r.now && (mask & ~s.read.bytes) == 0 &&
                                      s.read.atomic == a.atomic;
  if (!repeated) check_word(r, a, mask, s, stack);
  return true;
}

}  // namespace

std::string describe(memory_access const& a) { return describe(a.atomic, a.write, a.is_volatile, a.scope, a.bytes); }

void note_broken_edge(broken_edge e) {
  auto& edges = broken_edges();
  // Polls tell the same again and again.
  if (edges.size() != 0) {
    broken_edge& last = edges.back();
    if (last.address == e.address && last.target == e.target && last.source == e.source && last.why == e.why) {
      last = std::move(e);
      return;
    }
  }
  edges.next() = std::move(e);
}

void forget_broken_edges() noexcept { broken_edges() = {}; }

void check_access(lane_record& r, memory_access const& a, stack_id stack) {
  // Nearly all accesses are one whole word; what follows from that is left out then.
  if (a.bytes == 4 && a.address % 4 == 0) {
    check_part(r, a, a.address, 4, stack);
    return;
  }
  std::uintptr_t address = a.address;
  for (std::size_t rest = a.bytes; rest != 0;) {
    std::size_t const here = std::min<std::size_t>(rest, 4 - address % 4);
    if (!check_part(r, a, address, here, stack)) return;
    address += here;
    rest -= here;
  }
}

record const* unordered_access(lane_record const& r, std::uintptr_t address, bool writes_too) {
  shadow_page& page = page_of(address);
  if (page.ignored) return nullptr;
  word_shadow const& s = page.words(generation())[address % shadow_page::bytes / 4];
  auto const unordered = [&](record const& earlier) {
    return earlier.lane != nobody && earlier.lane != r.self && !r.knows(earlier.lane, earlier.when) &&
           !ended_before(earlier.lane, r.launch->numbers);
  };
  if (writes_too && unordered(s.write)) return &s.write;
  if (unordered(s.read)) return &s.read;
  if (s.more() == nullptr) return nullptr;
  for (record const& earlier : s.more()->reads)
    if (unordered(earlier)) return &earlier;
  return nullptr;
}

raw_place place_of(node lane, stack_id stack, std::string access) {
  layout const& l = layout_of(lane);
  unsigned const rank = l.rank_of(lane);
  return {l.block_of(lane), rank / l.wave_size, rank % l.wave_size, frames_of(stack), std::move(access)};
}

raw_place place_of(lane_record const& r, stack_id stack, std::string access) {
  return place_of(r.self, stack, std::move(access));
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
