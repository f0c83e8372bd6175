#include "fiber.hpp"

#include <boost/context/detail/fcontext.hpp>

#include "block.hpp"
#include "sanitizer.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

namespace context = boost::context::detail;

thread_context& thread_of(lane& l) noexcept { return l.home->owner().context(); }

// The first function on a lane's stack. It never returns: there is nothing below it.
void first_frame(context::transfer_t from) noexcept {
  lane& l = *static_cast<lane*>(from.data);
  thread_context& thread = thread_of(l);
  thread.context = from.fctx;
  sanitizer::after_switch(nullptr, &thread.stack_bottom, &thread.stack_bytes);
  run_kernel(l);
  sanitizer::before_switch(nullptr, thread.stack_bottom, thread.stack_bytes);
  context::jump_fcontext(thread.context, nullptr);
  __builtin_unreachable();
}

}  // namespace

constinit thread_local lane* current = nullptr;

void enter(lane& l, thread_context& thread) noexcept {
  if (l.context == nullptr)
    l.context =
        context::make_fcontext(l.stack.top, static_cast<std::size_t>(l.stack.top - l.stack.bottom), first_frame);
  current = &l;
  sanitizer::before_switch(&thread.fake_stack, l.stack.bottom, l.stack.bytes);
  context::transfer_t const from = context::jump_fcontext(l.context, &l);
  sanitizer::after_switch(thread.fake_stack, nullptr, nullptr);
  current = nullptr;
  l.context = from.fctx;
}

void leave(lane& l) noexcept {
  thread_context& thread = thread_of(l);
  sanitizer::before_switch(&l.fake_stack, thread.stack_bottom, thread.stack_bytes);
  context::transfer_t const from = context::jump_fcontext(thread.context, nullptr);
  thread.context = from.fctx;
  sanitizer::after_switch(l.fake_stack, &thread.stack_bottom, &thread.stack_bytes);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
