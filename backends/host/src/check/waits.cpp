#include "waits.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "findings.hpp"
#include "races.hpp"
#include "symboliser.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// Somebody has waited for a store by another lane of its own wave. Where the other one comes to the place behind its
// store, and came less often before it, the two are in step: lanes that arrive and then wait. Where it does not, the
// waiter could keep it from its store. Counted between barriers: lanes may differ in how many words they wait for.
struct suspected_wait {
  raw_place waiter, storer;
  node storing_lane;
  stack_id place;
  std::string object;
};
std::vector<suspected_wait>& suspected_waits() {
  static auto& all = *new std::vector<suspected_wait>;
  return all;
}

void report_wait(suspected_wait s) {
  report(
      finding_kind::same_wave_wait,
      "the thread has waited for a store by another lane of its own wave. Where a wave runs in lockstep (AMD, NVIDIA "
      "before Volta), or where the compiler keeps the wave together, that store never comes",
      {std::move(s.waiter), std::move(s.storer)}, std::move(s.object),
      "let one lane of each wave wait, or exchange values within a wave by this_wave() operations");
}

bool in_one_line(stack_id a, stack_id b) { return a == b || !in_different_lines(frames_of(a), frames_of(b)); }

// How often the lane had come to the line before the time; too often by those visits of which the time is forgotten.
unsigned visits_of(lane_record const& r, stack_id place, std::uint64_t time) {
  using visited_place = lane_record::visited_place;
  unsigned sum = 0;
  for (visited_place const& v : r.visits) {
    if (v.first >= time || !in_one_line(v.place, place)) continue;
    unsigned const kept = std::min(v.count, visited_place::most_times);
    sum += v.count - static_cast<unsigned>(std::count_if(v.times.begin(), v.times.begin() + kept,
                                                         [time](std::uint64_t t) { return t >= time; }));
  }
  return sum;
}

void note_visit(lane_record& r, stack_id place) {
  using visited_place = lane_record::visited_place;
  auto at = std::find_if(r.visits.begin(), r.visits.end(), [place](auto const& v) { return v.place == place; });
  if (at == r.visits.end()) at = r.visits.insert(at, {place, 0, stores_so_far(), {}});
  at->times[at->count++ % visited_place::most_times] = stores_so_far();
  if (suspected_waits().empty()) return;
  std::erase_if(suspected_waits(),
                [&](suspected_wait const& s) { return s.storing_lane == r.self && in_one_line(s.place, place); });
}

// Those of whom it is certain now that they do not come.
template <class Chosen>
void report_waits(Chosen chosen) {
  auto& all = suspected_waits();
  for (std::size_t i = 0; i < all.size();) {
    if (!chosen(all[i])) {
      ++i;
      continue;
    }
    report_wait(std::move(all[i]));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The lane has waited for the first store to the word since it began to; what came later it did not need.
void suspect_wait(lane_record& r, sync_word& w, stack_id place) {
  constexpr std::uint64_t now = ~std::uint64_t{0};
  if (w.stores.front().number > r.polled_since) return;  // the first one is forgotten
  store_record const* first = nullptr;
  for (std::size_t i = w.stores.size(); i-- > 0;)
    if (w.stores[i].number > r.polled_since && w.stores[i].changes) first = &w.stores[i];
  if (first == nullptr || first->lane == nobody || first->lane == r.self ||
      !in_group(*r.launch, thread_scope::wave, first->lane, r.self))
    return;
  w.synchronises = true;
  suspected_wait found{place_of(r, place, "wait"), place_of(first->lane, first->stack, "the awaited store"),
                       first->lane, place, name_of(reinterpret_cast<void const*>(w.address), w.bytes)};
  lane_record const* const storer = lane_record_of(first->lane);
  unsigned const before = storer == nullptr ? 0 : visits_of(*storer, place, first->number);
  bool const was_there_before = storer == nullptr || before >= visits_of(r, place, now);
  bool const has_come = storer != nullptr && visits_of(*storer, place, now) > before;
  if (was_there_before || (storer->returned && !has_come))
    report_wait(std::move(found));
  else if (!has_come)
    suspected_waits().push_back(std::move(found));
}

}  // namespace

void look_for_wait(lane_record& r, sync_word& w, store_record const& s, stack_id place, bool only_reads) {
  if (r.polled != w.address && only_reads) note_visit(r, place);
  // What comes after an older value is there already: whoever stored it has not been kept from it.
  if (s.number != w.stores.back().number) {
    r.polled = w.address;
    r.polled_value = ~s.value;
    r.polled_since = ~std::uint64_t{0};
    r.polls = 0;
    return;
  }
  if (r.polled == w.address && s.value == r.polled_value) {
    // Who looks at other places each time is not in a loop.
    r.polls += r.polled_at == place;
    return;
  }
  if (r.polled == w.address && r.polls >= enough_polls) suspect_wait(r, w, place);
  r.polled = w.address;
  r.polled_value = s.value;
  r.polled_since = stores_so_far();
  r.polled_at = place;
  r.polls = 1;
}

void report_waits_for_returned(lane_record const& r) {
  report_waits([&](suspected_wait const& s) { return s.storing_lane == r.self; });
}

void report_waits_for_block(std::span<lane_record const> lanes) {
  report_waits([&](suspected_wait const& s) {
    return s.storing_lane >= lanes.front().self && s.storing_lane <= lanes.back().self;
  });
}

void forget_suspected_waits() noexcept { suspected_waits().clear(); }

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
