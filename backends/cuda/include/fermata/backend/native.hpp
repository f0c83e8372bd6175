// CUDA: what is an instruction and what a loop. The documentation's table and is_native come from here, and
// tests/native compares it with what the compiler makes.
#pragma once

#include <fermata/detail/atomic_op.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

enum class target { sm_75, sm_90 };
inline constexpr struct {
  target value;
  char const* name;
} targets[] = {{target::sm_75, "sm_75"}, {target::sm_90, "sm_90"}};

// The host pass does not know the architecture: it gets the answer that holds for all of them.
FERMATA_FN constexpr target current_target() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return target::sm_90;
#else
  return target::sm_75;
#endif
}

// What the operation is on the target, which has it (see detail::takes).
FERMATA_FN constexpr detail::way how(atomic_op op, detail::type_class type, unsigned bytes, thread_scope scope,
                                     target at) {
  using detail::support;
  bool const bitwise = op == atomic_op::fetch_and || op == atomic_op::fetch_or || op == atomic_op::fetch_xor;
  bool const extreme = op == atomic_op::fetch_min || op == atomic_op::fetch_max;
  if (bytes == 16 && at != target::sm_90) return {support::refused, "refused"};
  if (op == atomic_op::wait) return {support::emulated, "a loop of loads"};
  if (op == atomic_op::load || op == atomic_op::store) return {support::native, "native"};
  bool const sum = op == atomic_op::fetch_add || op == atomic_op::fetch_sub;
  if (sum && (type == detail::type_class::half || (type == detail::type_class::bfloat16 && at == target::sm_90)))
    return {support::native, "native"};
  if (bytes < 4) {
    if (bitwise && scope == thread_scope::cluster && at == target::sm_90)
      return {support::native, "native, on the 32-bit word"};
    return {support::emulated, "loop around the CAS of the 32-bit word"};
  }
  if (type == detail::type_class::floating_point && extreme) return {support::emulated, "CAS loop"};
  return {support::native, "native"};
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
