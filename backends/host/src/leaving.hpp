// The switch from a lane to the one that runs next, to be inlined: the processor guesses where a function returns to by
// who called it, and behind a switch each return is guessed wrong once.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <fermata/detail/config.hpp>

#include "block.hpp"
#include "check/checking.hpp"
#include "fiber.hpp"
#include "sanitizer.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

inline thread_context& thread_of(lane& l) noexcept { return l.home->owner().context(); }

// A stack has been entered. Where the one before it goes on is told here alone; the jump has brought the place to keep
// it in.
inline void keep_place(boost::context::detail::transfer_t from) noexcept {
  *static_cast<void**>(from.data) = from.fctx;
}

// As keep_place, on a lane's stack.
inline void keep_place(boost::context::detail::transfer_t from, [[maybe_unused]] void* fake_stack,
                       [[maybe_unused]] thread_context& thread) noexcept {
  keep_place(from);
  if constexpr (sanitizer::enabled) {
    void const* bottom;
    std::size_t bytes;
    sanitizer::after_switch(fake_stack, &bottom, &bytes);
    if (from.data != &thread.context) return;
    thread.stack_bottom = bottom;
    thread.stack_bytes = bytes;
  }
}

// Makes the place where a lane begins, on its stack.
void* beginning_of(lane& l) noexcept;

[[gnu::always_inline]] inline void leave_here(lane& l) noexcept {
  thread_context& thread = thread_of(l);
  lane* next = nullptr;
  // The lanes of a block hand on to each other; in check mode the scheduler has its say.
  if constexpr (!checking) next = l.home->next_after(l);
  void* to = thread.context;
  void const* bottom = thread.stack_bottom;
  std::size_t bytes = thread.stack_bytes;
  if (next != nullptr) {
    current = next;
    to = next->context != nullptr ? next->context : beginning_of(*next);
    bottom = next->stack.bottom;
    bytes = next->stack.bytes;
  }
  sanitizer::before_switch(&l.fake_stack, bottom, bytes);
  keep_place(boost::context::detail::jump_fcontext(to, &l.context), l.fake_stack, thread);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
