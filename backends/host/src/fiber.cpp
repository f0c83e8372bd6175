#include "fiber.hpp"

#include "block.hpp"
#include "check/checking.hpp"
#include "leaving.hpp"
#include "sanitizer.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

// The first function on a stack. It never returns: there is nothing below it.
void first_frame(resume_point& left) noexcept {
  thread_context& thread = thread_of(*current);
  entered_from(left, nullptr, thread);
  for (;;) {
    lane& l = *current;
    run_kernel(l);
    lane* heir = nullptr;
    if constexpr (!checking) heir = l.home->heir_of(l);
    if (heir == nullptr) break;
    current = heir;
  }
  sanitizer::before_switch(nullptr, thread.stack_bottom, thread.stack_bytes);
  switch_stack(current->context, thread.context);
  __builtin_unreachable();
}

}  // namespace

constinit thread_local lane* current = nullptr;

void prepare(lane& l) noexcept {
  l.context = beginning<first_frame>(l.stack.top, static_cast<std::size_t>(l.stack.top - l.stack.bottom));
}

lane& enter(lane& l, thread_context& thread) noexcept { return enter_here(l, thread); }

void leave(lane& l) noexcept { leave_here(l); }

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
