// AMD: what is an instruction and what a loop. The documentation's table and is_native come from here, and
// tests/native compares it with what the compiler makes.
#pragma once

#include <fermata/detail/atomic_op.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

enum class target { gfx90a, gfx942, gfx1100, other };
inline constexpr struct {
  target value;
  char const* name;
} targets[] = {{target::gfx90a, "gfx90a"}, {target::gfx942, "gfx942"}, {target::gfx1100, "gfx1100"}};

// The host pass, and an architecture that is not listed, get the answer that holds for all of them.
FERMATA_FN constexpr target current_target() {
#if defined(__gfx90a__)
  return target::gfx90a;
#elif defined(__gfx942__)
  return target::gfx942;
#elif defined(__gfx1100__)
  return target::gfx1100;
#else
  return target::other;
#endif
}

// What the operation is on the target, which has it (see detail::takes).
FERMATA_FN constexpr detail::way how(atomic_op op, detail::type_class type, unsigned bytes, thread_scope scope,
                                     target at) {
  using detail::support;
  bool const bitwise = op == atomic_op::fetch_and || op == atomic_op::fetch_or || op == atomic_op::fetch_xor;
  bool const extreme = op == atomic_op::fetch_min || op == atomic_op::fetch_max;
  bool const sum = op == atomic_op::fetch_add || op == atomic_op::fetch_sub;
  if (bytes == 16) return {support::refused, "refused"};
  if (op == atomic_op::wait) return {support::emulated, "a loop of loads"};
  if (op == atomic_op::load || op == atomic_op::store) return {support::native, "native"};
  if (bytes < 4) {
    if (bitwise) return {support::native, "native, on the 32-bit word"};
    return {support::emulated, "loop around the CAS of the 32-bit word"};
  }
  if (type == detail::type_class::floating_point && extreme) return {support::emulated, "CAS loop"};
  // The native sums of gfx90a and gfx1100 are safe on coarse-grained memory alone, which the compiler cannot know.
  if (type == detail::type_class::floating_point && sum) {
    return at == target::gfx942 ? detail::way{support::native, "native"} : detail::way{support::emulated, "CAS loop"};
  }
  // The bus knows no minimum and no maximum.
  if (extreme && scope == thread_scope::system) return {support::emulated, "CAS loop"};
  return {support::native, "native"};
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
