// Thread scopes and memory orders: who must see an operation, and what it orders.
//
// Both are constexpr tag objects with libcu++'s names. An order or a scope is therefore always known at
// compile time, and a pair that makes no sense (a load that releases) is a compile error.
//
// A scope that the target lacks becomes the next *wider* one, never a narrower one:
//
//   scope    CUDA                    HIP           host
//   thread   nothing to order        singlethread  nothing to order
//   wave     block (.cta)            wavefront     as block
//   block    .cta                    workgroup     block
//   cluster  .cluster on sm_90+,     agent         device
//            else device
//   device   .gpu                    agent         device
//   system   .sys                    system ("")   system
#pragma once

#include <atomic>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The set of threads that an operation is visible to, from narrow to wide.
enum class thread_scope { thread, wave, block, cluster, device, system };

// A scope as a type. Converts to the enum, so that the same name serves as a template argument
// (`atomic_ref<int, thread_scope_device>`) and as a function argument (`atomic_thread_fence(o, s)`).
template <thread_scope S>
struct thread_scope_tag {
  FERMATA_FN constexpr operator thread_scope() const noexcept { return S; }
};

inline constexpr thread_scope_tag<thread_scope::thread> thread_scope_thread{};
inline constexpr thread_scope_tag<thread_scope::wave> thread_scope_wave{};
inline constexpr thread_scope_tag<thread_scope::block> thread_scope_block{};
inline constexpr thread_scope_tag<thread_scope::cluster> thread_scope_cluster{};
inline constexpr thread_scope_tag<thread_scope::device> thread_scope_device{};
inline constexpr thread_scope_tag<thread_scope::system> thread_scope_system{};

// A memory order as a type; converts to std::memory_order. There is no consume: no GPU has it.
template <std::memory_order O>
struct memory_order_tag {
  FERMATA_FN constexpr operator std::memory_order() const noexcept { return O; }
};

inline constexpr memory_order_tag<std::memory_order_relaxed> memory_order_relaxed{};
inline constexpr memory_order_tag<std::memory_order_acquire> memory_order_acquire{};
inline constexpr memory_order_tag<std::memory_order_release> memory_order_release{};
inline constexpr memory_order_tag<std::memory_order_acq_rel> memory_order_acq_rel{};
inline constexpr memory_order_tag<std::memory_order_seq_cst> memory_order_seq_cst{};

namespace detail {

// True for the orders of which an acquire (a release) is part.
FERMATA_FN constexpr bool acquires(std::memory_order o) {
  return o == std::memory_order_acquire || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}
FERMATA_FN constexpr bool releases(std::memory_order o) {
  return o == std::memory_order_release || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}
FERMATA_FN constexpr bool valid_for_load(std::memory_order o) {
  return o == std::memory_order_relaxed || o == std::memory_order_acquire || o == std::memory_order_seq_cst;
}
FERMATA_FN constexpr bool valid_for_store(std::memory_order o) {
  return o == std::memory_order_relaxed || o == std::memory_order_release || o == std::memory_order_seq_cst;
}

// The order of a failed compare-exchange that names only one order, as in the C++ standard.
FERMATA_FN constexpr std::memory_order failure_order(std::memory_order o) {
  return o == std::memory_order_acq_rel   ? std::memory_order_acquire
         : o == std::memory_order_release ? std::memory_order_relaxed
                                          : o;
}

// The one order that honours both orders of a compare-exchange, for targets that choose it before the outcome is known.
FERMATA_FN constexpr std::memory_order both_orders(std::memory_order success, std::memory_order failure) {
  if (success == std::memory_order_seq_cst || failure == std::memory_order_seq_cst) return std::memory_order_seq_cst;
  if (!acquires(failure) || acquires(success)) return success;
  return releases(success) ? std::memory_order_acq_rel : std::memory_order_acquire;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
