// Which atomic operations are one instruction of the target, known at compile time. The table for every backend is in
// docs/atomics_table.md, which is made from the same function.
#pragma once

#include <fermata/backend/native.hpp>
#include <fermata/detail/atomic_op.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// How the target that is being compiled for does the operation; refused where it does not exist.
template <class T>
FERMATA_FN constexpr way way_of(atomic_op op, thread_scope scope) {
  if constexpr (!lock_free<T>) {
    return {support::refused, "refused"};
  } else {
    if (!takes_type<T>(op)) return {support::refused, "refused"};
    return backend::how(op, class_of<T>(), sizeof(T), scope, backend::current_target());
  }
}

}  // namespace detail

// True if the operation on a T at this scope is an instruction that ends by itself; false if it is a loop (around a
// compare-exchange; wait, around a load), or does not exist for T.
//
// Ask in device code: the answer is the target's for which that is compiled. Host code of a program for several
// targets gets true only for what is native on all of them.
template <atomic_op Op, class T, thread_scope Scope>
inline constexpr bool is_native = detail::way_of<T>(Op, Scope).kind == detail::support::native;

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
