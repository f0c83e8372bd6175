#include "ready_lanes.hpp"

#include <functional>

#include "strategy.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// As often the lanes of a block get their turns before those of another one do: they are in the cache by then. More
// often where so many can run that they do not find room in it together: a lane and its record take 0.7 KiB, and then
// there is its stack.
constexpr std::size_t rounds_of_a_block = 8, rounds_among_many = 32, many_lanes = 1024;
// Turns of a lane in a loop that does no operation; short ones let others in between two plain accesses.
constexpr std::uint32_t blocks_of_a_turn = 4096, blocks_of_a_random_turn = 256;

struct lower_rank {
  bool operator()(lane const* a, lane const* b) const noexcept { return a->priority < b->priority; }
};

bool is_of(lane const& l, launch_state const& launch) noexcept { return &l.home->launch() == &launch; }

}  // namespace

void ready_lanes::begin(settings const& how) {
  schedule_ = how.schedule;
  favourite_ = nullptr;
  favour_ = 0;
  lowest_ = std::uint64_t{1} << 32;
  changes_.clear();
  for (block* const b : turns_) b->turns.has_turn = false;
  turns_.clear();
  left_ = 0;
  if (schedule_ != turns::pct) return;
  auto const span = static_cast<unsigned>(std::clamp<std::uint64_t>(how.span, 1, 0xFFFFFFFF));
  for (unsigned i = 1; i < how.depth; ++i) changes_.push_back(choose(span));
  std::sort(changes_.begin(), changes_.end(), std::greater());
}

// Ranks are above 2^32, except for those of lanes that have been demoted.
void ready_lanes::introduce(lane& l) {
  if (schedule_ == turns::pct) l.priority = (std::uint64_t{choose(0x7FFFFFFF)} + 1) << 32 | l.rank;
}

void ready_lanes::add(lane& l) {
  ++count_;
  switch (schedule_) {
    case turns::fair: {
      block_turns& turns = l.home->turns;
      if (!turns.has_turn) turns_.push_back(l.home);
      turns.has_turn = true;
      turns.line.push_back(&l);
      break;
    }
    case turns::random: {
      block_turns& turns = l.home->turns;
      if (turns.ready.empty()) {
        turns.place = blocks_.size();
        blocks_.push_back(l.home);
      }
      turns.ready.push_back(&l);
      break;
    }
    case turns::pct:
      lanes_.push_back(&l);
      std::push_heap(lanes_.begin(), lanes_.end(), lower_rank());
      break;
    case turns::exhaustive:
      lanes_.push_back(&l);
      break;
  }
}

lane& ready_lanes::take(std::uint64_t step) {
  --count_;
  switch (schedule_) {
    case turns::fair:
      return take_in_turn();
    case turns::random:
      return take_random();
    case turns::pct:
      return take_by_rank(step);
    case turns::exhaustive:
      break;
  }
  auto const chosen = lanes_.begin() + choose(static_cast<unsigned>(lanes_.size()));
  lane& l = **chosen;
  lanes_.erase(chosen);
  l.patience = 1;
  l.blocks_left = blocks_of_a_turn;
  return l;
}

// A block whose lanes wait for each other keeps its turn as long as one of them can run.
lane& ready_lanes::take_in_turn() {
  while (turns_.front()->turns.line.empty()) {
    turns_.front()->turns.has_turn = false;
    turns_.pop_front();
    left_ = 0;
  }
  block* const from = turns_.front();
  std::deque<lane*>& line = from->turns.line;
  if (left_ == 0) left_ = line.size() * (count_ < many_lanes ? rounds_of_a_block : rounds_among_many);
  lane& l = *line.front();
  line.pop_front();
  if (--left_ == 0) {
    turns_.pop_front();
    turns_.push_back(from);
  }
  l.patience = 1;
  l.blocks_left = blocks_of_a_turn;
  return l;
}

// A lane runs for 1 … 64 operations, where short turns are as likely as long ones; and a block is let run ahead of the
// others for a while, because equal turns for all would never take them far from each other.
lane& ready_lanes::take_random() {
  block* from = blocks_[choose(static_cast<unsigned>(blocks_.size()))];
  if (favour_ == 0) {
    favourite_ = from;
    favour_ = choose(1u << choose(11)) + 1;
  }
  --favour_;
  // The favourite may have ended; the object that was it is a block without ready lanes, or another block by now.
  if (!favourite_->turns.ready.empty()) from = favourite_;
  std::vector<lane*>& ready = from->turns.ready;
  std::size_t const chosen = choose(static_cast<unsigned>(ready.size()));
  lane& l = *ready[chosen];
  ready[chosen] = ready.back();
  ready.pop_back();
  if (ready.empty()) {
    std::size_t const place = from->turns.place;
    blocks_[place] = blocks_.back();
    blocks_[place]->turns.place = place;
    blocks_.pop_back();
  }
  l.patience = choose(1u << choose(7)) + 1;
  l.blocks_left = choose(blocks_of_a_random_turn) + 1;
  return l;
}

lane& ready_lanes::take_by_rank(std::uint64_t step) {
  while (!changes_.empty() && changes_.back() <= step) {
    demote(*lanes_.front());
    std::make_heap(lanes_.begin(), lanes_.end(), lower_rank());
    changes_.pop_back();
  }
  std::pop_heap(lanes_.begin(), lanes_.end(), lower_rank());
  lane& l = *lanes_.back();
  lanes_.pop_back();
  std::uint64_t const next = changes_.empty() ? step + steps_by_rank : changes_.back();
  l.patience = static_cast<std::uint32_t>(std::min<std::uint64_t>(next - step, steps_by_rank));
  l.blocks_left = blocks_of_a_turn;
  return l;
}

void ready_lanes::demote(lane& l) noexcept {
  l.priority = --lowest_;
  l.home->turns.steps = 0;
}

void ready_lanes::remove_lanes_of(launch_state const& launch) {
  std::size_t removed = std::erase_if(lanes_, [&](lane const* l) { return is_of(*l, launch); });
  for (block* const b : turns_)
    removed += std::erase_if(b->turns.line, [&](lane const* l) { return is_of(*l, launch); });
  std::make_heap(lanes_.begin(), lanes_.end(), lower_rank());
  std::erase_if(blocks_, [&](block* b) {
    if (&b->launch() != &launch) return false;
    removed += b->turns.ready.size();
    b->turns.ready.clear();
    return true;
  });
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i]->turns.place = i;
  favour_ = 0;
  count_ -= removed;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
