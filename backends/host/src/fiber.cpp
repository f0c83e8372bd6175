#include "fiber.hpp"

#include <boost/context/detail/fcontext.hpp>

#include "block.hpp"
#include "check/checking.hpp"
#include "leaving.hpp"
#include "sanitizer.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

namespace context = boost::context::detail;

// The first function on a stack. It never returns: there is nothing below it.
void first_frame(context::transfer_t from) noexcept {
  thread_context& thread = thread_of(*current);
  keep_place(from, nullptr, thread);
  for (;;) {
    lane& l = *current;
    run_kernel(l);
    lane* heir = nullptr;
    if constexpr (!checking) heir = l.home->heir_of(l);
    if (heir == nullptr) break;
    current = heir;
  }
  sanitizer::before_switch(nullptr, thread.stack_bottom, thread.stack_bytes);
  context::jump_fcontext(thread.context, &current->context);
  __builtin_unreachable();
}

}  // namespace

constinit thread_local lane* current = nullptr;

void* beginning_of(lane& l) noexcept {
  return context::make_fcontext(l.stack.top, static_cast<std::size_t>(l.stack.top - l.stack.bottom), first_frame);
}

lane& enter(lane& l, thread_context& thread) noexcept {
  current = &l;
  sanitizer::before_switch(&thread.fake_stack, l.stack.bottom, l.stack.bytes);
  keep_place(context::jump_fcontext(l.context != nullptr ? l.context : beginning_of(l), &thread.context));
  sanitizer::after_switch(thread.fake_stack, nullptr, nullptr);
  lane& last = *current;
  current = nullptr;
  return last;
}

void leave(lane& l) noexcept { leave_here(l); }

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
