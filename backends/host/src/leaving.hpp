// The switch from a lane to the one that runs next, in the middle of the function that lets others run.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>

#include "block.hpp"
#include "check/checking.hpp"
#include "check/scheduler.hpp"
#include "fiber.hpp"
#include "sanitizer.hpp"
#include "stack_switch.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

inline thread_context& thread_of(lane& l) noexcept { return l.home->owner().context(); }

// A lane's stack has been entered, from the place.
inline void entered_from([[maybe_unused]] resume_point const& left, [[maybe_unused]] void* fake_stack,
                         [[maybe_unused]] thread_context& thread) noexcept {
  if constexpr (sanitizer::enabled) {
    void const* bottom;
    std::size_t bytes;
    sanitizer::after_switch(fake_stack, &bottom, &bytes);
    if (&left != &thread.context) return;
    thread.stack_bottom = bottom;
    thread.stack_bytes = bytes;
  }
}

// Gives a lane that has not begun the place where it begins, on its stack.
void prepare(lane& l) noexcept;

// From `here` to the stack of the lane, where it has left it or where it begins; returns as switch_stack does.
[[gnu::always_inline]] inline resume_point& enter_stack(resume_point& here, void*& fake_stack, lane& l) noexcept {
  sanitizer::before_switch(&fake_stack, l.stack.bottom, l.stack.bytes);
  if (l.context) return switch_stack(here, l.context);
  prepare(l);
  return begin_stack(here, l.context);
}

[[gnu::always_inline]] inline void leave_here(lane& l) noexcept {
  thread_context& thread = thread_of(l);
  // Lanes hand on to each other: in check mode as the scheduler says, else in the order of the block's queue.
  lane* next;
  if constexpr (checking) {
    next = check::scheduler::instance().next_after(l);
    if (next == &l) return;  // it is its turn again
  } else {
    next = l.home->next_after(l);
  }
  resume_point const* left;
  if (next != nullptr) {
    current = next;
    left = &enter_stack(l.context, l.fake_stack, *next);
  } else {
    sanitizer::before_switch(&l.fake_stack, thread.stack_bottom, thread.stack_bytes);
    left = &switch_stack(l.context, thread.context);
  }
  entered_from(*left, l.fake_stack, thread);
}

// As enter, where the scheduler of check mode runs one lane after the other.
[[gnu::always_inline]] inline lane& enter_here(lane& l, thread_context& thread) noexcept {
  current = &l;
  enter_stack(thread.context, thread.fake_stack, l);
  sanitizer::after_switch(thread.fake_stack, nullptr, nullptr);
  lane& last = *current;
  current = nullptr;
  return last;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
