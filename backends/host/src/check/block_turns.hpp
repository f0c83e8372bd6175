// What the scheduler of check mode keeps with each block.
#pragma once

#include <cstddef>
#include <deque>
#include <fermata/detail/config.hpp>
#include <vector>

#include "stacks.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

struct lane;

namespace check {

struct block_turns {
  std::deque<lane*> line;    // fair schedule: the lanes that can run …
  bool has_turn = false;     // … and whether the block is among those that take turns
  std::vector<lane*> ready;  // random schedule: the lanes that can run …
  std::size_t place = 0;     // … and where the block stands among those that have any
  std::size_t steps = 0;     // pct: of its lanes, since one of them has gone behind all others
  std::size_t resident = 0;  // where the block stands among all
  unsigned can_run = 0;      // lanes that do not wait for others: ready, watching a word, or polling one
  // The first lane at the barrier, and where it is: the others come to the same line.
  lane const* barrier_lane = nullptr;
  stack_id barrier_stack = no_stack;
  bool diverged = false;  // they have not: that says why others wait in vain
};

}  // namespace check
}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
