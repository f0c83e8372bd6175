// Switching between a worker's own stack and those of its lanes.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>

#include "lane.hpp"
#include "stack_switch.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// The worker's side of a switch.
struct thread_context {
  resume_point context;
  void* fake_stack = nullptr;  // of the address sanitizer, as the rest
  void const* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
};

// Runs the lane, on its stack, and those that it hands on to, until one of them comes back, which is returned. Called
// by the scheduler.
lane& enter(lane& l, thread_context& thread) noexcept;

// Hands on to the next lane of the block, or back to the scheduler; returns when the lane is entered again. Called by
// the lane.
void leave(lane& l) noexcept;

// What a lane does: in block.cpp. Returns when the lane has nothing more to do.
void run_kernel(lane& l) noexcept;

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
