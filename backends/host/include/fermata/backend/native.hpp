// Host: what is an instruction of the processor and what a loop in the compiled library. The documentation's table and
// is_native come from here.
#pragma once

#include <fermata/detail/atomic_op.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

enum class target { processor };
inline constexpr struct {
  target value;
  char const* name;
} targets[] = {{target::processor, "host"}};

constexpr target current_target() { return target::processor; }

// What the operation is, where it exists (see detail::takes).
constexpr detail::way how(atomic_op op, detail::type_class type, unsigned bytes, thread_scope, target) {
  using detail::support;
  if (bytes == 16) {
    if (!has_16_byte_atomics) return {support::refused, "refused"};
    if (op == atomic_op::store || op == atomic_op::exchange) return {support::emulated, "CAS loop"};
    if (op == atomic_op::wait) return {support::emulated, "a loop of loads"};
    return {support::native, "native"};
  }
  switch (op) {
    case atomic_op::load:
    case atomic_op::store:
    case atomic_op::exchange:
    case atomic_op::compare_exchange:
      return {support::native, "native"};
    case atomic_op::fetch_add:
    case atomic_op::fetch_sub:
      if (detail::is_half_class(type)) return {support::refused, "refused"};
      if (type != detail::type_class::floating_point) return {support::native, "native"};
      return {support::emulated, "CAS loop"};
    case atomic_op::wait:
      return {support::emulated, "the executor wakes the lane"};
    default:
      return {support::emulated, "CAS loop"};
  }
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
