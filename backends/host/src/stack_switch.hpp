// The switch between two stacks, and nothing else: that of Boost.Context. A lane of a kernel does it at every barrier,
// and under the checker at every operation, so that it stands in the middle of the function that asks for it: a
// processor guesses where a function returns to by who called it last, a switch is a call that never returns, and every
// return behind it is guessed wrong. The fewer there are, the better.
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

// A stack has been entered. Where the one before it goes on is told here alone.
inline resume_point& keep_place(boost::context::detail::transfer_t from) noexcept {
  auto* const left = static_cast<resume_point*>(from.data);
  left->context = from.fctx;
  return *left;
}

template <void (*First)(resume_point& left) noexcept>
void begin(boost::context::detail::transfer_t from) noexcept {
  First(keep_place(from));
}

// The place where `First` begins on the empty stack of so many bytes that ends at `top`. It is called with the place
// that was left, and must not return.
template <void (*First)(resume_point& left) noexcept>
resume_point beginning(std::byte* top, std::size_t bytes) noexcept {
  return {boost::context::detail::make_fcontext(top, bytes, begin<First>)};
}

// Goes on at `to`, and returns when this stack is entered again: with the place that was left then.
[[gnu::always_inline]] inline resume_point& switch_stack(resume_point& here, resume_point const& to) noexcept {
  return keep_place(boost::context::detail::jump_fcontext(to.context, &here));
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
