#include "structure.hpp"

#include <utility>

#include "../block.hpp"
#include "engine.hpp"
#include "records.hpp"
#include "scheduler.hpp"
#include "strategy.hpp"
#include "symboliser.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

std::string advice_for(finding_kind kind) {
  switch (kind) {
    case finding_kind::barrier_divergence:
      return "move the barrier out of the condition, so that all threads of the block reach the same one, in the same "
             "line";
    case finding_kind::exited_thread_at_barrier:
      return "let threads without work skip the work and not the barrier: no return before the last barrier";
    case finding_kind::wave_divergence:
      return "call wave operations outside of conditions that differ within a wave; or use active_lanes() for the "
             "lanes that are there";
    case finding_kind::mask_mismatch:
      return "call the operation in exactly the lanes that the mask names, with the same mask in each";
    case finding_kind::unequal_grid_sync:
      return "let every block reach the barrier equally often: no block returns, or leaves the loop, before the others";
    case finding_kind::inactive_lane_read:
      return "read from lanes that call the operation, too: bound the source by live(), or give the missing lanes a "
             "neutral value and let them take part";
    default:
      return {};
  }
}

}  // namespace

raw_place where_is(lane const& l) {
  return {l.home->number(), l.rank / decided_by().wave_size, l.place, frames_of(l), l.home->wait_of(l)};
}

void report_misuse(block& b, finding_kind kind, std::string const& message, std::vector<lane const*> const& who) {
  if (b.launch().failed() || b.turns.diverged) return;
  std::vector<raw_place> places;
  for (lane const* const l : who) {
    // One that has returned is nowhere any more.
    if (l == nullptr || l->state == lane_state::returned) continue;
    places.push_back(where_is(*l));
    if (places.back().access.empty()) places.back().access = "call";
  }
  report(kind, message, std::move(places), {}, advice_for(kind));
}

void report_failure(launch_state& launch, errc code, std::string const& message) {
  // Barriers and deadlocks are told where more is known of them.
  if (code == errc::out_of_memory || code == errc::barrier_misuse || code == errc::deadlock) return;
  std::vector<raw_place> places;
  if (current != nullptr && &current->home->launch() == &launch) places.push_back(where_is(*current));
  if (!places.empty()) {
    if (places.back().access.empty()) places.back().access = "failure";
    // An exception has left all frames; the kernel itself is known.
    places.back().frames.push_back(static_cast<std::byte const*>(launch.request.call.kernel) + 1);
  }
  report(finding_kind::kernel_failed, message, std::move(places), {}, {});
}

void report_unequal_sync(launch_state& launch, std::string const& message) {
  constexpr std::size_t most_places = 4;
  std::vector<raw_place> places;
  for (block* const b : scheduler::instance().resident()) {
    if (&b->launch() != &launch || places.size() == most_places) continue;
    for (lane const& l : b->lanes()) {
      if (l.state != lane_state::in_block) continue;
      places.push_back(where_is(l));
      break;
    }
  }
  report(finding_kind::unequal_grid_sync, message, std::move(places), {}, advice_for(finding_kind::unequal_grid_sync));
}

void arrived_at_barrier(block& b, lane const& l) {
  block_turns& turns = b.turns;
  stack_id const here = l.checked->stack();
  if (turns.barrier_lane == nullptr) {
    turns.barrier_lane = &l;
    turns.barrier_stack = here;
    return;
  }
  if (turns.barrier_stack == here || !in_different_lines(frames_of(turns.barrier_stack), frames_of(here))) return;
  turns.diverged = true;
  report(finding_kind::barrier_divergence, "threads of one block wait for each other at barriers in different lines",
         {where_is(l), where_is(*turns.barrier_lane)}, {}, advice_for(finding_kind::barrier_divergence));
}

void joined_wave_operation(lane const& l, lane const& first) {
  stack_id const here = l.checked->stack(), there = first.checked->stack();
  if (there == here || !in_different_lines(frames_of(there), frames_of(here))) return;
  l.home->turns.diverged = true;
  report(finding_kind::wave_divergence, "lanes of one wave call a wave operation together in different lines",
         {where_is(l), where_is(first)}, {}, advice_for(finding_kind::wave_divergence));
}

void inactive_read(lane const& l, unsigned source) {
  raw_place place = where_is(l);
  place.access = "reads the value of lane " + std::to_string(source);
  report(finding_kind::inactive_lane_read,
         "a shuffle takes the value of lane " + std::to_string(source) +
             ", which does not take part: it gets anything at all",
         {std::move(place)}, {}, advice_for(finding_kind::inactive_lane_read), &l);
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
