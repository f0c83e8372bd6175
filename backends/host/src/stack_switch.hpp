// The switch between two stacks, and nothing else. A lane of a kernel does it at every barrier, and under the checker
// at every operation, so that it is a few instructions in the middle of the function that asks for it: a processor
// guesses where a function returns to by who called it last, and a switch that is itself a call, and never returns,
// makes every later guess wrong. Elsewhere than on x86-64, and for the address sanitizer, it is that of Boost.Context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>

#include "sanitizer.hpp"

#if defined(__x86_64__) && !FERMATA_HOST_ASAN()
#define FERMATA_HOST_OWN_SWITCH() 1
#else
#define FERMATA_HOST_OWN_SWITCH() 0
#include <boost/context/detail/fcontext.hpp>
#endif

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

#if FERMATA_HOST_OWN_SWITCH()

// Where a stack goes on when it is entered. Kept beside the stack, not on it: the memory below a stack's end may be in
// use by the function that is being left.
struct resume_point {
  void* stack_pointer = nullptr;
  void* frame_pointer = nullptr;
  void const* instruction = nullptr;
  explicit operator bool() const noexcept { return stack_pointer != nullptr; }
};

// The place where `First` begins on the empty stack that ends at `top`. It is called with the place that was left, and
// must not return.
template <void (*First)(resume_point& left) noexcept>
resume_point beginning(std::byte* top, std::size_t) noexcept {
  // As if it had been called: by nobody, from an aligned stack.
  auto* const end = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
  end[-1] = nullptr;
  return {end - 1, nullptr, reinterpret_cast<void const*>(First)};
}

#if defined(__AVX512F__)
#define FERMATA_HOST_MORE_REGISTERS                                                                                    \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",        \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define FERMATA_HOST_MORE_REGISTERS
#endif

// Goes on at `to`, and returns when this stack is entered again: with the place that was left then. Every register is
// said to be lost, so that the compiler saves those that it needs, no more; what it cannot be told of is done by hand.
// The modes of the floating-point unit are the thread's, not the lane's.
[[gnu::always_inline]] inline resume_point& switch_stack(resume_point& here, resume_point const& to) noexcept {
  resume_point* left = &here;
  resume_point const* entered = &to;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rbp, 8(%%rdi)\n\t"
      "movq %%rax, 16(%%rdi)\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "movq 8(%%rsi), %%rbp\n\t"
      "jmpq *16(%%rsi)\n"
      "1:"
      : "+D"(left), "+S"(entered)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15" FERMATA_HOST_MORE_REGISTERS, "cc", "memory");
  return *left;
}
#undef FERMATA_HOST_MORE_REGISTERS

#else

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

template <void (*First)(resume_point& left) noexcept>
resume_point beginning(std::byte* top, std::size_t bytes) noexcept {
  return {boost::context::detail::make_fcontext(top, bytes, begin<First>)};
}

inline resume_point& switch_stack(resume_point& here, resume_point const& to) noexcept {
  return keep_place(boost::context::detail::jump_fcontext(to.context, &here));
}

#endif

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
