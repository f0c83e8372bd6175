// Nobody gets on: who waits for what, and why it will not come.
#include <algorithm>
#include <set>
#include <tuple>

#include "../block.hpp"
#include "engine.hpp"
#include "findings.hpp"
#include "scheduler.hpp"
#include "structure.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

constexpr std::size_t most_waiters = 8;

// The word that a lane waits for; null if it waits for other lanes.
struct awaited_word {
  void const* address = nullptr;
  unsigned bytes = 0;
  std::uint64_t seen = 0;
};

awaited_word awaited_by(lane const& l) {
  if (l.state == lane_state::watching) return {l.watched.address, l.watched.bytes, l.watched.seen};
  if (l.state == lane_state::runnable && l.reads.spinning())
    return {l.reads.last_address(), l.reads.last_bytes(), l.reads.last_value()};
  return {};
}

std::string by_whom(store_note const& s) {
  if (s.by_host) return "before the launch";
  return "by block " + std::to_string(s.block) + ", thread " + std::to_string(s.thread);
}

// What has been in the word, the latest last: "0 before the launch, 1 by block 2, thread 0".
std::string history_of(std::vector<store_note> const& stores) {
  std::string text;
  for (store_note const& s : stores) text += (text.empty() ? "" : ", ") + std::to_string(s.value) + " " + by_whom(s);
  return text;
}

// The waiting lanes of a launch: one for each place and word, those that wait for a word first.
struct waiting_lanes {
  std::vector<lane const*> shown;
  std::size_t all = 0;
};

waiting_lanes waiters_of(launch_state const& launch, std::vector<block*> const& resident) {
  waiting_lanes result;
  std::set<std::tuple<void const*, std::vector<void const*>, lane_state>> known;
  for (bool const for_word : {true, false})
    for (block* const b : resident) {
      if (&b->launch() != &launch) continue;
      for (lane const& l : b->lanes()) {
        void const* const address = awaited_by(l).address;
        if ((address != nullptr) != for_word) continue;
        if (l.state == lane_state::returned || b->wait_of(l).empty()) continue;
        ++result.all;
        if (result.shown.size() < most_waiters && known.emplace(address, frames_of(l), l.state).second)
          result.shown.push_back(&l);
      }
    }
  return result;
}

std::vector<raw_place> places_of(waiting_lanes const& who) {
  std::vector<raw_place> places;
  for (lane const* const l : who.shown) {
    places.push_back(where_is(*l));
    if (awaited_word const w = awaited_by(*l); w.address != nullptr)
      if (std::string const name = name_of(w.address, w.bytes); !name.empty()) places.back().access += " in " + name;
  }
  return places;
}

std::string more_of(waiting_lanes const& who) {
  std::size_t const rest = who.all - who.shown.size();
  return rest == 0 ? "" : " (" + std::to_string(rest) + " more lanes wait in the same places)";
}

}  // namespace

void report_deadlock(launch_state& launch, std::vector<block*> const& resident) {
  waiting_lanes const who = waiters_of(launch, resident);
  std::string object, history;
  bool overwritten = false;
  for (lane const* const l : who.shown) {
    awaited_word const w = awaited_by(*l);
    if (w.address == nullptr) break;
    std::vector<store_note> const stores = stores_of(w.address);
    if (object.empty()) object = name_of(w.address, w.bytes);
    if (std::any_of(stores.begin(), stores.end(), [&](store_note const& s) { return !s.by_host && s.value != w.seen; }))
      overwritten = true;
    if (history.empty()) history = history_of(stores);
  }
  auto const [started, ended] = launch.blocks_so_far();
  std::string message, advice;
  finding_kind kind = finding_kind::lost_signal;
  if (started < launch.blocks) {
    kind = finding_kind::non_resident_deadlock;
    message = "every resident lane waits, and " + std::to_string(launch.blocks - started) + " of " +
              std::to_string(launch.blocks) + " blocks have not started and cannot before one of the " +
              std::to_string(started - ended) + " resident ones ends";
    advice = "let only as many blocks wait for each other as can be resident: launch_cooperative refuses a grid that "
             "does not fit, max_resident_blocks() says how many do";
  } else if (overwritten) {
    message = "every lane waits; what is awaited here was there, and has been overwritten before the waiter saw it";
    advice = "let the value stay until all waiters have seen it: count up (counter, an epoch) in place of setting and "
             "clearing, or wait for >= in place of ==";
  } else {
    message = "every lane waits, and nobody is left who could write what is awaited here";
    advice = "look for the store that did not happen: a branch not taken, another index, a lane that returned early or "
             "waits itself, a count that is too high";
  }
  message += more_of(who);
  if (!history.empty()) message += ". The word has held: " + history;
  report(kind, message, places_of(who), object, advice, who.shown.empty() ? nullptr : who.shown.front());
  launch.fail_deadlocked();
}

void report_livelock(launch_state& launch, std::vector<block*> const& resident, lane const* without_operation) {
  if (without_operation != nullptr && &without_operation->home->launch() != &launch) without_operation = nullptr;
  waiting_lanes who;
  if (without_operation != nullptr) who.shown.push_back(without_operation);
  for (block* const b : resident) {
    if (&b->launch() != &launch) continue;
    for (lane const& l : b->lanes()) {
      if (l.state != lane_state::runnable || who.shown.size() >= most_waiters / 2 || &l == without_operation) continue;
      who.shown.push_back(&l);
      break;  // one of a block
    }
  }
  std::vector<raw_place> places;
  for (lane const* const l : who.shown) {
    places.push_back(where_is(*l));
    if (places.back().access.empty()) places.back().access = "goes on and on";
  }
  std::string const message =
      without_operation != nullptr
          ? "a loop that neither reads anything that others write, nor waits, goes on for ever: the compiler may have "
            "moved its read out of the loop"
          : "lanes go on for ever without one of them getting to its end";
  std::string const advice =
      without_operation != nullptr
          ? "wait by atomic_ref::wait, or read by an atomic load; or, if the loop is only long, allow more steps "
            "(checked_launch::steps, FERMATA_HOST_STEPS)"
          : "give lanes that fail a way to let others finish: one elected lane, wave_serialize, or a wait; or, if it "
            "is only long, allow more steps (checked_launch::steps, FERMATA_HOST_STEPS)";
  report(finding_kind::livelock, message, std::move(places), {}, advice,
         who.shown.empty() ? nullptr : who.shown.front());
  launch.fail(errc::deadlock, "livelock: " + message);
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
