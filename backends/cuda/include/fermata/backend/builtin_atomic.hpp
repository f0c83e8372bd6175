// CUDA: what libcu++ 13.0 lacks, through nvcc's builtins: cluster scope (sm_90 and later); bytes, which it stores by a
// loop; 16 bytes (sm_90), of which ptxas refuses its load. The PTX is the one that libcu++ has for the rest: a seq_cst
// operation is fence.sc and the acquire form (a store: the relaxed one).
// A compare-exchange takes both orders combined, as libcu++ does; the builtin alone would drop the failure order.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>
#include <type_traits>

#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The device pass knows the architecture. Before sm_90 there are no clusters, and the next wider scope is device.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool has_cluster_scope = false;
#else
inline constexpr bool has_cluster_scope = true;
#endif

template <thread_scope S>
inline constexpr bool in_cluster = S == thread_scope::cluster && has_cluster_scope;

namespace builtin {

// CUDA has no wave scope: block is the next wider one. (There is a thread scope, but no instruction for it.)
FERMATA_FN constexpr int native_scope(thread_scope s) {
  switch (s) {
    case thread_scope::thread:
    case thread_scope::wave:
    case thread_scope::block: return __NV_THREAD_SCOPE_BLOCK;
    case thread_scope::cluster: return has_cluster_scope ? __NV_THREAD_SCOPE_CLUSTER : __NV_THREAD_SCOPE_DEVICE;
    case thread_scope::device: return __NV_THREAD_SCOPE_DEVICE;
    case thread_scope::system: break;
  }
  return __NV_THREAD_SCOPE_SYSTEM;
}

FERMATA_FN constexpr int native_order(std::memory_order o) {
  switch (o) {
    case std::memory_order_relaxed: return __NV_ATOMIC_RELAXED;
    case std::memory_order_consume:
    case std::memory_order_acquire: return __NV_ATOMIC_ACQUIRE;
    case std::memory_order_release: return __NV_ATOMIC_RELEASE;
    case std::memory_order_acq_rel: return __NV_ATOMIC_ACQ_REL;
    case std::memory_order_seq_cst: break;
  }
  return __NV_ATOMIC_SEQ_CST;
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W load(W* p) noexcept {
  W value;
  __nv_atomic_load(p, &value, native_order(O), native_scope(S));
  return value;
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE void store(W* p, W value) noexcept {
  __nv_atomic_store(p, &value, native_order(O), native_scope(S));
}

// Four bytes and more.
template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W exchange(W* p, W value) noexcept {
  W old;
  __nv_atomic_exchange(p, &value, &old, native_order(O), native_scope(S));
  return old;
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE bool compare_exchange(W* p, W& expected, W desired) noexcept {
  return __nv_atomic_compare_exchange(p, &expected, &desired, false, native_order(O), native_order(O),
                                      native_scope(S));
}

// The builtin takes no signed integer of eight bytes; a sum has the same bits without the sign.
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T fetch_add(T* p, T value) noexcept {
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(fetch_add<S, O>(reinterpret_cast<word*>(p), static_cast<word>(value)));
  } else {
    return __nv_atomic_fetch_add(p, value, native_order(O), native_scope(S));
  }
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W fetch_and(W* p, W value) noexcept {
  return __nv_atomic_fetch_and(p, value, native_order(O), native_scope(S));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W fetch_or(W* p, W value) noexcept {
  return __nv_atomic_fetch_or(p, value, native_order(O), native_scope(S));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W fetch_xor(W* p, W value) noexcept {
  return __nv_atomic_fetch_xor(p, value, native_order(O), native_scope(S));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T fetch_min(T* p, T value) noexcept {
  return __nv_atomic_fetch_min(p, value, native_order(O), native_scope(S));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T fetch_max(T* p, T value) noexcept {
  return __nv_atomic_fetch_max(p, value, native_order(O), native_scope(S));
}

}  // namespace builtin
}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
