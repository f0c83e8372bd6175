// Words that are accessed atomically: their histories, and what a read takes over from a store.
#include <algorithm>
#include <array>
#include <memory>

#include "engine.hpp"
#include "records.hpp"
#include "strategy.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

std::uint64_t stores_made = 0;

// The nodes of the lanes of the scope's group that the lane belongs to, as a range.
std::pair<node, node> group_range(launch_record const& launch, thread_scope scope, node lane) noexcept {
  layout const& l = launch.numbers;
  unsigned const block = l.block_of(lane);
  switch (scope) {
    case thread_scope::thread:
      return {lane, lane + 1};
    case thread_scope::wave: {
      unsigned const first = l.rank_of(lane) / l.wave_size * l.wave_size;
      return {l.lane_node(block, first), l.lane_node(block, std::min(first + l.wave_size, l.lanes))};
    }
    case thread_scope::block:
      return {l.block_node(block), l.block_node(block + 1)};
    case thread_scope::cluster: {
      unsigned const first = block / launch.cluster * launch.cluster;
      return {l.block_node(first), l.block_node(first + launch.cluster)};
    }
    case thread_scope::device:
    case thread_scope::system:
      break;
  }
  return {l.first, l.last()};
}

bool is_wide(thread_scope scope) noexcept { return scope >= thread_scope::device; }

}  // namespace

bool in_group(launch_record const& launch, thread_scope scope, node a, node b) noexcept {
  if (is_wide(scope)) return true;
  if (!launch.numbers.has(a) || !launch.numbers.has(b)) return a == b;
  auto const [first, last] = group_range(launch, scope, a);
  return b >= first && b < last;
}

std::unordered_map<std::uintptr_t, std::unique_ptr<sync_word>>& all_words() {
  // Never destroyed: lanes may still run while the program ends.
  static auto& all = *new std::unordered_map<std::uintptr_t, std::unique_ptr<sync_word>>;
  return all;
}

namespace {

// Words found lately.
struct recent {
  std::uintptr_t address = 0;
  sync_word* word = nullptr;
};
std::array<recent, 4096> recently_used;

recent& recent_at(std::uintptr_t address) noexcept { return recently_used[address / 4 % recently_used.size()]; }

}  // namespace

sync_word* known_word_at(std::uintptr_t address) noexcept {
  recent& r = recent_at(address);
  if (r.address == address) return r.word;
  auto const found = all_words().find(address);
  if (found == all_words().end()) return nullptr;
  r = {address, found->second.get()};
  return r.word;
}

sync_word& word_at(void const* p, unsigned bytes, std::uint64_t value) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (sync_word* const known = known_word_at(address)) return *known;
  std::unique_ptr<sync_word>& w = all_words()[address];
  w = std::make_unique<sync_word>();
  w->address = address;
  w->bytes = bytes;
  w->initial = value;
  append_found(*w, value);
  return *w;
}

void forget_words(void const* memory, std::size_t bytes) {
  auto const first = reinterpret_cast<std::uintptr_t>(memory);
  std::erase_if(all_words(), [&](auto const& w) {
    if (w.first - first >= bytes) return false;
    if (recent& r = recent_at(w.first); r.address == w.first) r = {};
    return true;
  });
}

void forget_all_words() noexcept {
  all_words().clear();
  recently_used.fill({});
}

std::uint64_t stores_so_far() noexcept { return stores_made; }

void note_seen(lane_record& r, sync_word& w, std::uint64_t number) {
  auto& seen = w.seen[r.self];
  if (number <= seen) return;
  seen = number;
  if (!weak_values()) return;
  constexpr std::size_t most_readers = 16;
  // It is nearly always one of the last.
  for (std::size_t i = w.stores.size(); i-- > 0 && w.stores[i].number >= number;) {
    store_record& s = w.stores[i];
    if (s.number == number && s.lane != r.self && s.readers.size() < most_readers)
      s.readers.emplace_back(r.self, r.now);
  }
  constexpr std::size_t room = 32;
  if (r.read_since.capacity() == 0) r.read_since.reserve(room);
  if (r.read_since.empty() || r.read_since.back() != w.address) r.read_since.push_back(w.address);
}

store_record& append(sync_word& w) {
  store_record& s = w.stores.next();
  s.readers.clear();
  s.number = ++stores_made;
  return s;
}

void append_found(sync_word& w, std::uint64_t value) {
  store_record& s = append(w);
  // All but the number, and the memory of the readers, as in a new one.
  s.value = value;
  s.lane = nobody;
  s.when = 0;
  s.scope = thread_scope::system;
  s.stack = no_stack;
  s.xcd = 0;
  s.heads = {};
  s.source = {};
  s.changes = true;
}

snapshot_ref const& snapshot_of(lane_record& r) {
  if (!r.latest || r.latest->own.before != r.now + 1 || !(r.latest->base == r.base) || !(r.latest->extra == r.extra)) {
    auto s = std::make_unique<snapshot>();
    s->base = r.base;
    s->extra = r.extra;
    s->own = {r.self, r.now + 1};
    r.latest = snapshot_ref(s.release());
  }
  return r.latest;
}

heads_ref with_head(heads_ref const& previous, lane_record const& r, snapshot_ref const& s, thread_scope scope) {
  auto result = std::make_unique<release_heads>();
  if (previous) {
    result->wide = previous->wide;
    result->parts = previous->parts;
  }
  if (is_wide(scope)) {
    result->wide = joined(result->wide, s->flat());
  } else {
    for (release_heads::part& p : result->parts) {
      if (p.scope != scope || !in_group(*r.launch, scope, p.lane, r.self)) continue;
      p.knows = joined(p.knows, s->flat());
      return heads_ref(result.release());
    }
    result->parts.push_back({scope, r.self, s->flat()});
  }
  return heads_ref(result.release());
}

void acquire(lane_record& r, heads_ref const& heads, thread_scope scope) {
  if (!heads) return;
  auto const [first, last] = group_range(*r.launch, scope, r.self);
  auto const take = [&](clock_ref const& c, bool whole) {
    if (!c || c == r.base || c == r.extra) return;
    r.extra = joined(r.extra, whole ? c : restricted(c, first, last));
  };
  take(heads->wide, is_wide(scope));
  for (release_heads::part const& p : heads->parts)
    if (in_group(*r.launch, p.scope, p.lane, r.self)) take(p.knows, scope >= p.scope);
}

// A store may be read unless the lane knows of a later one: because it happens before the read, because the lane has
// read it already, or because sequentially consistent fences say so. The newest always may.
store_record const& choose_store(lane_record& r, sync_word& w) {
  constexpr unsigned most_stale_reads = 16;
  store_record const& newest = w.stores.back();
  unsigned const my_xcd = r.block % xcds();
  bool const apart = newest.lane != nobody && newest.scope < thread_scope::device && newest.xcd != my_xcd;
  if (!weak_values() && !apart) {
    note_seen(r, w, newest.number);
    return newest;
  }
  std::uint64_t seen = w.seen.of(r.self);
  for (auto const& [time, number] : w.sequential)
    if (time <= r.sequential_time) seen = std::max(seen, number);
  std::size_t allowed = 1;  // how many, counted from the newest
  while (allowed < w.stores.size()) {
    store_record const& later = w.stores[w.stores.size() - allowed];  // if this one is known, no older one is allowed
    bool const known = later.lane == nobody || later.number <= seen || r.knows(later.lane, later.when) ||
                       (r.seen && r.seen->knows(later.lane, later.when)) ||
                       std::any_of(later.readers.begin(), later.readers.end(),
                                   [&](auto const& reader) { return r.knows(reader.first, reader.second); });
    if (known) break;
    ++allowed;
  }
  // The L2 cache of another XCD keeps what was stored for a narrower scope.
  std::size_t least = 0;
  while (least + 1 < allowed) {
    store_record const& s = w.stores[w.stores.size() - 1 - least];
    if (xcds() == 1 || s.lane == nobody || s.scope >= thread_scope::device || s.xcd == my_xcd) break;
    ++least;
  }
  std::size_t back = least;
  if (weak_values() && allowed > least + 1 && r.stale_reads < most_stale_reads && choose(2) == 1)
    back = least + choose(static_cast<unsigned>(allowed - least));
  r.stale_reads = back == least ? 0 : r.stale_reads + 1;
  store_record const& chosen = w.stores[w.stores.size() - 1 - back];
  note_seen(r, w, chosen.number);
  return chosen;
}

std::vector<store_note> stores_of(void const* address) {
  std::vector<store_note> result;
  if (sync_word const* const w = known_word_at(reinterpret_cast<std::uintptr_t>(address)))
    for (std::size_t i = 0; i < w->stores.size(); ++i) {
      store_record const& s = w->stores[i];
      if (s.lane == nobody) {
        result.push_back({s.value, true, 0, 0});
        continue;
      }
      layout const& l = layout_of(s.lane);
      result.push_back({s.value, false, l.block_of(s.lane), l.rank_of(s.lane)});
    }
  return result;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
