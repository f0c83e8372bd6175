// The switch between two stacks, and nothing else: that of Boost.Context. A lane of a kernel does it at every barrier,
// and under the checker at every operation. A processor guesses where a function returns to by who called last, and a
// switch is a call that does not return: every return behind it would be guessed wrong. So each switch ends in a call
// of keep_place on top of the stack that is entered: its return makes up for the one that is missing, and as the lanes
// of a block wait at the same place, called from the same places, the guesses are right again: 0.57 of the time
// of a barrier (docs/results/2026-11-30-executor.txt).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// Where a stack goes on when it is entered. Kept beside the stack, not on it: the memory below a stack's end may be in
// use by the function that is being left.
struct resume_point {
  void* context = nullptr;
  explicit operator bool() const noexcept { return context != nullptr; }
};

// The first thing on a stack that has been entered: where the one before it goes on is told here alone.
inline boost::context::detail::transfer_t keep_place(boost::context::detail::transfer_t from) noexcept {
  static_cast<resume_point*>(from.data)->context = from.fctx;
  return from;
}

template <void (*First)(resume_point& left) noexcept>
void begin(boost::context::detail::transfer_t from) noexcept {
  First(*static_cast<resume_point*>(keep_place(from).data));
}

// The place where `First` begins on the empty stack of so many bytes that ends at `top`. It is called with the place
// that was left, and must not return.
template <void (*First)(resume_point& left) noexcept>
resume_point beginning(std::byte* top, std::size_t bytes) noexcept {
  return {boost::context::detail::make_fcontext(top, bytes, begin<First>)};
}

// Begins at `first`, which has been made by `beginning`, and returns when this stack is entered again: with the place
// that was left then.
[[gnu::always_inline]] inline resume_point& begin_stack(resume_point& here, resume_point const& first) noexcept {
  return *static_cast<resume_point*>(boost::context::detail::jump_fcontext(first.context, &here).data);
}

// The same where a stack has been left.
[[gnu::always_inline]] inline resume_point& switch_stack(resume_point& here, resume_point const& to) noexcept {
  return *static_cast<resume_point*>(boost::context::detail::ontop_fcontext(to.context, &here, keep_place).data);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
