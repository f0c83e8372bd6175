// Atomic operations on AMD, on the compiler's own scoped builtins.
//
// The builtin is relaxed: a release is a release fence in front of it, an acquire an acquire fence behind it. So the
// wait that the compilers leave out of a release (see fence.hpp) stands in one place, and every order is the same few
// instructions that the memory model of LLVM's AMDGPU back end prescribes.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>
#include <cstdint>
#include <type_traits>

#include <fermata/backend/fence.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// clang has two sets of scope numbers, which count in opposite directions; this is the one of __hip_atomic_*.
constexpr int hip_scope(thread_scope s) {
  switch (s) {
    case thread_scope::thread:
      return __HIP_MEMORY_SCOPE_SINGLETHREAD;
    case thread_scope::wave:
      return __HIP_MEMORY_SCOPE_WAVEFRONT;
    case thread_scope::block:
      return __HIP_MEMORY_SCOPE_WORKGROUP;
    case thread_scope::cluster:  // no clusters here: the next wider scope
    case thread_scope::device:
      return __HIP_MEMORY_SCOPE_AGENT;
    case thread_scope::system:
      return __HIP_MEMORY_SCOPE_SYSTEM;
  }
  return __HIP_MEMORY_SCOPE_SYSTEM;
}

// Runs a relaxed operation with the order around it.
template <thread_scope S, std::memory_order O, class F>
FERMATA_DEVICE auto ordered(F operation) noexcept {
  if constexpr (detail::releases(O)) release_fence<S>();
  auto const old = operation();
  if constexpr (detail::acquires(O)) acquire_fence<S>();
  return old;
}

// An acquire load is not left to the builtin: except for seq_cst, clang gives it a scope that orders only the address
// space of the load itself ("agent-one-as"), and an acquire of a flag in global memory is to order shared memory, too.
// A seq_cst load first waits for all earlier accesses, which keeps it behind an earlier seq_cst store (the store
// buffering test): the compiler's does, but at block scope (see fence.hpp), where the release fence is just that wait.
template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_load(W const* p) noexcept {
  if constexpr (O == std::memory_order_seq_cst && S != thread_scope::block) {
    return __hip_atomic_load(p, __ATOMIC_SEQ_CST, hip_scope(S));
  } else {
    if constexpr (O == std::memory_order_seq_cst) release_fence<S>();
    W const value = __hip_atomic_load(p, __ATOMIC_RELAXED, hip_scope(S));
    if constexpr (detail::acquires(O)) acquire_fence<S>();
    return value;
  }
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE void atomic_store(W* p, W value) noexcept {
  if constexpr (detail::releases(O)) release_fence<S>();
  __hip_atomic_store(p, value, __ATOMIC_RELAXED, hip_scope(S));
}

// The 32-bit operations that the one- and two-byte ones are made of. No AMD GPU has atomics that narrow; the
// compiler's own expansion of them ends in an internal error of clang 19 (a byte at a uniform address on gfx942).
template <thread_scope S, std::memory_order OnSuccess, std::memory_order OnFailure, class W>
FERMATA_DEVICE bool atomic_compare_exchange(W* p, W& expected, W desired) noexcept;
template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_and(W* p, W value) noexcept;
template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_or(W* p, W value) noexcept;
template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_xor(W* p, W value) noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/generic/subword.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_exchange(W* p, W value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(W) < 4)
      return detail::generic::subword_fetch_update<S>(p, [value](W) { return value; });
    else
      return __hip_atomic_exchange(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

// Both orders are honoured: what either of them asks for is done for both outcomes, as it is not known before the
// operation whether to release, and branching afterwards costs more than the invalidate it might save.
template <thread_scope S, std::memory_order OnSuccess, std::memory_order OnFailure, class W>
FERMATA_DEVICE bool atomic_compare_exchange(W* p, W& expected, W desired) noexcept {
  constexpr bool release = detail::releases(OnSuccess) || OnFailure == std::memory_order_seq_cst;
  constexpr bool acquire = detail::acquires(OnSuccess) || detail::acquires(OnFailure);
  if constexpr (release) release_fence<S>();
  bool done;
  if constexpr (sizeof(W) < 4)
    done = detail::generic::subword_compare_exchange<S>(p, expected, desired);
  else
    done =
        __hip_atomic_compare_exchange_strong(p, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED, hip_scope(S));
  if constexpr (acquire) acquire_fence<S>();
  return done;
}

// Integers wrap around. float and double: the native instruction where the compiler knows it to be safe for every kind
// of memory, else a loop around the compare-exchange of the bits (gfx90a float, gfx1100 double).
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add(T* p, T value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(T) < 4)
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return static_cast<T>(old + value); });
    else
      return __hip_atomic_fetch_add(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

// The sum in coarse-grained global memory, for which the caller vouches: there the instructions of gfx90a and gfx1100
// are safe that the compiler may not choose by itself, as in fine-grained memory they can have no effect
// (ROCm/hipamd#19).
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add_coarse_grained(T* p, T value) noexcept {
#if defined(__gfx90a__) || defined(__gfx1100__)
  using global = __attribute__((address_space(1))) T;
  if constexpr (sizeof(T) == 4)
    return ordered<S, O>([=] { return __builtin_amdgcn_global_atomic_fadd_f32((global*)(p), value); });
#endif
#if defined(__gfx90a__)
  if constexpr (sizeof(T) == 8)
    return ordered<S, O>([=] { return __builtin_amdgcn_global_atomic_fadd_f64((global*)(p), value); });
#endif
  return atomic_fetch_add<S, O>(p, value);
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_and(W* p, W value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(W) < 4)
      return detail::generic::subword_fetch_and<S>(p, value);
    else
      return __hip_atomic_fetch_and(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_or(W* p, W value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(W) < 4)
      return detail::generic::subword_fetch_or<S>(p, value);
    else
      return __hip_atomic_fetch_or(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_xor(W* p, W value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(W) < 4)
      return detail::generic::subword_fetch_xor<S>(p, value);
    else
      return __hip_atomic_fetch_xor(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

// At system scope the compiler makes a compare-exchange loop of these two: the bus knows no min and max.
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_min(T* p, T value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(T) < 4)
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return value < old ? value : old; });
    else
      return __hip_atomic_fetch_min(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_max(T* p, T value) noexcept {
  return ordered<S, O>([=] {
    if constexpr (sizeof(T) < 4)
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return old < value ? value : old; });
    else
      return __hip_atomic_fetch_max(p, value, __ATOMIC_RELAXED, hip_scope(S));
  });
}

// The builtins take the scope as a string literal, hence the branches.
template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_inc_wrap(unsigned* p, unsigned limit) noexcept {
  return ordered<S, O>([=]() -> unsigned {
    if constexpr (S == thread_scope::thread)
      return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "singlethread");
    else if constexpr (S == thread_scope::wave)
      return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "wavefront");
    else if constexpr (S == thread_scope::block)
      return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "workgroup");
    else if constexpr (S == thread_scope::system)
      return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "");
    else
      return __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "agent");
  });
}

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_dec_wrap(unsigned* p, unsigned limit) noexcept {
  return ordered<S, O>([=]() -> unsigned {
    if constexpr (S == thread_scope::thread)
      return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "singlethread");
    else if constexpr (S == thread_scope::wave)
      return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "wavefront");
    else if constexpr (S == thread_scope::block)
      return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "workgroup");
    else if constexpr (S == thread_scope::system)
      return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "");
    else
      return __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "agent");
  });
}

// Polls relaxed and acquires once, at the end: an acquire in the loop would invalidate the cache at every poll.
// A seq_cst wait starts like a seq_cst load, behind all earlier accesses.
// s_sleep(1) gives the other waves of the compute unit some 64 cycles, as the vendor's own grid barrier does.
template <thread_scope S, std::memory_order O, class W, class Predicate>
FERMATA_DEVICE W atomic_await(W const* p, Predicate done) noexcept {
  W seen;
  if constexpr (O == std::memory_order_seq_cst)
    seen = atomic_load<S, O>(p);
  else
    seen = atomic_load<S, std::memory_order_relaxed>(p);
  while (!done(seen)) {
    __builtin_amdgcn_s_sleep(1);
    seen = atomic_load<S, std::memory_order_relaxed>(p);
  }
  if constexpr (detail::acquires(O)) acquire_fence<S>();
  return seen;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
