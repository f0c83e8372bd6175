// What the checker keeps for each lane, and for each word that is accessed atomically.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <fermata/backend/wave.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "../lane.hpp"
#include "clock.hpp"
#include "stacks.hpp"
#include "store_history.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// What a store hands to those that acquire it: its own release, and those whose release sequence it continues. Releases
// at device scope or wider are one clock, those of narrower groups one for each group.
struct release_heads {
  struct part {
    thread_scope scope;
    node lane;  // one of the group
    clock_ref knows;
  };
  clock_ref wide;
  std::vector<part> parts;
  mutable std::uint32_t references = 0;
};
using heads_ref = ref<release_heads const>;

// One entry of the modification order of a word.
struct store_record {
  std::uint64_t value = 0;
  node lane = nobody;  // nobody: the host, or before the launch
  tick when = 0;
  thread_scope scope = thread_scope::system;
  stack_id stack = no_stack;
  unsigned xcd = 0;
  std::uint64_t number = 0;  // counts the stores of a launch
  heads_ref heads;
  snapshot_ref source;                         // what the storing lane knew
  bool changes = true;                         // the value that was there before
  std::vector<std::pair<node, tick>> readers;  // some of them: who knows of such a read knows of the store
};

// A word that is accessed atomically.
struct sync_word {
  static constexpr std::size_t most_stores = 8;

  std::uintptr_t address = 0;
  unsigned bytes = 0;
  std::uint64_t initial = 0;                    // when it was first accessed
  bool synchronises = false;                    // somebody releases, acquires or waits here
  bool blamed = false;                          // a finding has named it: what follows from that is not told again
  bool ever_modified = false;                   // by a read-modify-write that changed it
  last_ones<store_record, most_stores> stores;  // never empty
  numbers_of_lanes seen;                        // the newest store that a lane has read, by number
  // What lanes had read when they came to a sequentially consistent fence: when that was, and which store, both
  // growing.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sequential;
  // For advice: the widest scope used, and whether lanes of several blocks have been here.
  thread_scope widest = thread_scope::thread;
  stack_id widest_at = no_stack;
  node first_user = nobody;
  bool several_blocks = false;
};

// Launches that run.
struct launch_record {
  layout numbers;
  unsigned cluster = 1;  // blocks
  clock_ref grid_arriving, grid_complete;
  unsigned grid_arrived = 0;
  struct cluster_barrier {
    clock_ref arriving, complete;
    unsigned arrived = 0;
  };
  std::map<void const*, cluster_barrier> clusters;
};

// A read that saw another lane's store and did not synchronise with it: the reason for races, if there are any.
enum class broken : unsigned char { no_release, no_acquire, scope, plain };
struct broken_edge {
  broken why;
  snapshot_ref source;
  heads_ref heads;  // what an acquire would have taken over, if the store releases anything
  node target;
  tick target_time;
  std::uintptr_t address;
  stack_id store_stack, read_stack;
  thread_scope store_scope, read_scope;
};

// A relaxed read that a later fence may turn into an acquire.
struct pending_acquire {
  heads_ref heads;
  thread_scope scope;
  broken_edge edge;  // that there is without the fence
  node store_lane;
  tick store_time;
};

struct lane_record {
  launch_record* launch = nullptr;
  node self = nobody;
  node block_nodes = nobody;  // the first of its block …
  node nodes_of_block = 0;    // … and how many that has
  unsigned block = 0;
  tick now = 1;
  clock_ref base;                          // what all lanes of the block know since their last barrier
  tick base_of_block = 0;                  // what it says of the lanes of the block itself
  clock_ref extra;                         // what this one has learnt since
  std::uint64_t sequential_time = 0;       // of its last sequentially consistent fence
  std::vector<std::uintptr_t> read_since;  // the words that it has read since then
  clock_ref seen;                          // what it must see by sequentially consistent fences, beyond what it knows
  snapshot_ref latest;
  std::array<snapshot_ref, 6> fenced;  // by the last release fence of each scope
  bool has_fenced = false;             // by any
  std::vector<pending_acquire> pending;
  snapshot_ref at_arrival;  // at a split barrier
  call_stack calls;
  bool returned = false;           // from the kernel
  void const* pc = nullptr;        // of the operation it is in, or was in last
  void const* block_pc = nullptr;  // where it let others run, and how often since its last operation
  unsigned turns_in_blocks = 0;
  unsigned inside = 0;  // the runtime, on behalf of the lane: accesses are none of the kernel's
  // What it has read again and again at one place, and how often it has come to read at each.
  std::uintptr_t polled = 0;
  std::uint64_t polled_value = 0, polled_since = 0;
  stack_id polled_at = no_stack;
  unsigned polls = 0;
  struct visited_place {
    static constexpr unsigned most_times = 8;
    stack_id place;
    unsigned count;
    std::uint64_t first;                          // in stores of the launch, as the next
    std::array<std::uint64_t, most_times> times;  // of the last visits
  };
  std::vector<visited_place> visits;
  unsigned stale_reads = 0;

  // Whether the lane is one of the same block.
  bool in_block(node lane) const noexcept { return lane - block_nodes < nodes_of_block; }
  bool knows(node lane, tick when) const noexcept {
    if (lane == self) return true;
    // Most questions are about the same block, and of that the base has one entry.
    if (in_block(lane) ? when < base_of_block : base && base->knows(lane, when)) return true;
    return extra && extra->knows(lane, when);
  }
  stack_id stack() const { return calls.at(pc); }
  // As new, but for the memory that it has asked for.
  void forget() noexcept {
    lane_record fresh;
    fresh.read_since = emptied(read_since);
    fresh.pending = emptied(pending);
    fresh.visits = emptied(visits);
    fresh.calls = calls.emptied();
    *this = std::move(fresh);
  }

 private:
  template <class T>
  static std::vector<T> emptied(std::vector<T>& v) noexcept {
    v.clear();
    return std::move(v);
  }
};

// Whether the lanes belong to one group of the scope.
bool in_group(launch_record const& launch, thread_scope scope, node a, node b) noexcept;

// Whether an access of the lane and one of another's reach each other. The first questions answer nearly always.
inline bool reach_each_other(lane_record const& r, thread_scope mine, node other, thread_scope theirs) noexcept {
  thread_scope const narrower = mine < theirs ? mine : theirs;
  if (narrower >= thread_scope::device || (narrower >= thread_scope::block && r.in_block(other))) return true;
  return in_group(*r.launch, mine, r.self, other) && in_group(*r.launch, theirs, other, r.self);
}

// The word at the address; made, with what memory holds now, when it is first asked for.
sync_word& word_at(void const* address, unsigned bytes, std::uint64_t value);
sync_word* known_word_at(std::uintptr_t address) noexcept;
void forget_words(void const* memory, std::size_t bytes);
void forget_all_words() noexcept;
std::unordered_map<std::uintptr_t, std::unique_ptr<sync_word>>& all_words();

// How many stores there have been.
std::uint64_t stores_so_far() noexcept;

// The lane has read the store, and will read no older one. (Of what it has stored itself it knows by its clock, and so
// does whoever is behind it.)
void note_seen(lane_record& r, sync_word& w, std::uint64_t number);

// Appends a store, of which nothing but its number is set, and drops the oldest beyond what is kept.
store_record& append(sync_word& w);
// The same for what has been found in memory without a word of it: plain stores, and the host's.
void append_found(sync_word& w, std::uint64_t value);
inline void catch_up(sync_word& w, std::uint64_t value) {
  if (w.stores.back().value != value) append_found(w, value);
}

// The lane's knowledge up to now, as a release would hand it on.
snapshot_ref const& snapshot_of(lane_record& r);
// Takes over what the heads hand to an acquire of the scope.
void acquire(lane_record& r, heads_ref const& heads, thread_scope scope);
heads_ref with_head(heads_ref const& previous, lane_record const& r, snapshot_ref const& s, thread_scope scope);

// Reads the word: from the newest store, or an older one that is allowed.
store_record const& choose_store(lane_record& r, sync_word& w);

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
