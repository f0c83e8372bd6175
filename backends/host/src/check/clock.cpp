#include "clock.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <tuple>
#include <utility>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// The launches that run, oldest first. Those that have ended stay until none runs: others may still ask about them.
struct known_launch {
  layout numbers;
  std::uint64_t ended = 0;  // the number of launches that had begun by then; 0: it runs
};
// Never destroyed: lanes may still run while the program ends.
auto& launches = *new std::vector<std::unique_ptr<known_launch>>;
unsigned running = 0;
std::uint64_t begun = 0;
known_launch const* latest = nullptr;

known_launch const& find(node n) noexcept {
  if (latest->numbers.has(n)) return *latest;
  for (auto const& l : launches)
    if (l->numbers.has(n)) return *l;
  return *latest;  // there is none such
}

// The nodes of the block of `n`, as a range.
std::pair<node, node> block_range(node n) noexcept {
  layout const& l = find(n).numbers;
  node const first = l.block_node(l.block_of(n));
  return {first, first + l.stride()};
}

// Appends entries in the order of their nodes, leaving out what the entry of the block makes superfluous.
class appender {
 public:
  explicit appender(std::vector<entry>& to) noexcept : to_(to) {}
  void operator()(entry e) {
    if (e.who >= end_) {
      std::tie(first_, end_) = block_range(e.who);
      block_before_ = 0;
    }
    if (e.who == first_)
      block_before_ = e.before;
    else if (e.before <= block_before_)
      return;
    to_.push_back(e);
  }

 private:
  std::vector<entry>& to_;
  node first_ = 0, end_ = 0;
  tick block_before_ = 0;
};

// The first entry from `from` on that is of the node or a later one.
using entry_place = std::vector<entry>::const_iterator;
entry_place at_or_behind(entry_place from, entry_place to, node who) noexcept {
  return std::lower_bound(from, to, who, [](entry e, node n) { return e.who < n; });
}

}  // namespace

layout const& layout_of(node n) noexcept { return find(n).numbers; }

layout const& add_layout(unsigned blocks, unsigned lanes, unsigned wave_size) {
  auto l = std::make_unique<known_launch>();
  l->numbers = {launches.empty() ? node{1} : launches.back()->numbers.last(),
                blocks,
                (lanes + wave_size - 1) / wave_size,
                lanes,
                wave_size,
                ++begun};
  launches.push_back(std::move(l));
  latest = launches.back().get();
  ++running;
  return latest->numbers;
}

void remove_layout(std::uint64_t launch) noexcept {
  for (auto const& l : launches)
    if (l->numbers.launch == launch) l->ended = begun;
  if (--running != 0) return;
  launches.clear();
  latest = nullptr;
}

bool no_layouts() noexcept { return running == 0; }

bool ended_before(node n, layout const& now) noexcept {
  known_launch const& l = find(n);
  return l.ended != 0 && l.ended < now.launch;
}

bool clock::knows(node lane, tick when) const noexcept {
  layout const& l = layout_of(lane);
  unsigned const block = l.block_of(lane);
  node const block_node = l.block_node(block);
  entry_place const end = entries.end();
  entry_place at = at_or_behind(entries.begin(), end, block_node);
  // Most clocks say nothing of most blocks, or that much of all of its lanes.
  if (at == end || at->who > lane) return false;
  if (at->who == block_node && when < at->before) return true;
  node const wave_node = l.wave_node(block, (lane - l.lane_node(block, 0)) / l.wave_size);
  at = at_or_behind(at, end, wave_node);
  if (at != end && at->who == wave_node && when < at->before) return true;
  at = at_or_behind(at, end, lane);
  return at != end && at->who == lane && when < at->before;
}

clock_ref joined(clock_ref const& a, clock_ref const& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  auto result = std::make_unique<clock>();
  result->entries.reserve(a->entries.size() + b->entries.size());
  appender append(result->entries);
  auto x = a->entries.begin(), y = b->entries.begin();
  bool a_is_more = true, b_is_more = true;  // or as much
  while (x != a->entries.end() || y != b->entries.end()) {
    if (y == b->entries.end() || (x != a->entries.end() && x->who < y->who)) {
      b_is_more = false;
      append(*x++);
    } else if (x == a->entries.end() || y->who < x->who) {
      a_is_more = false;
      append(*y++);
    } else {
      if (x->before < y->before) a_is_more = false;
      if (y->before < x->before) b_is_more = false;
      append({x->who, std::max(x->before, y->before)});
      ++x;
      ++y;
    }
  }
  if (a_is_more) return a;
  if (b_is_more) return b;
  return clock_ref(result.release());
}

clock_ref with(clock_ref const& a, entry more) {
  auto one = std::make_unique<clock>();
  one->entries.push_back(more);
  return joined(a, clock_ref(one.release()));
}

clock_ref restricted(clock_ref const& a, node first, node last) {
  if (!a) return a;
  auto const by_node = [](entry e, node n) { return e.who < n; };
  auto const from = std::lower_bound(a->entries.begin(), a->entries.end(), first, by_node);
  auto const to = std::lower_bound(from, a->entries.end(), last, by_node);
  if (from == to) return {};
  if (from == a->entries.begin() && to == a->entries.end()) return a;
  auto result = std::make_unique<clock>();
  result->entries.assign(from, to);
  return clock_ref(result.release());
}

namespace {

struct free_snapshot {
  free_snapshot* next;
};
free_snapshot* free_snapshots = nullptr;

}  // namespace

void* snapshot::operator new(std::size_t bytes) {
  if (free_snapshots == nullptr) return ::operator new(bytes);
  return std::exchange(free_snapshots, free_snapshots->next);
}

void snapshot::operator delete(void* p) noexcept { free_snapshots = new (p) free_snapshot{free_snapshots}; }

bool snapshot::knows(node lane, tick when) const noexcept {
  if (lane == own.who && when < own.before) return true;
  return (base && base->knows(lane, when)) || (extra && extra->knows(lane, when));
}

clock_ref const& snapshot::flat() const {
  if (!flat_clock) flat_clock = with(joined(base, extra), own);
  return flat_clock;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
