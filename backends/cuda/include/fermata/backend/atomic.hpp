// CUDA: atomics through libcu++, whose PTX is the hand-written one (tests/codegen says which).
#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <type_traits>

#include <fermata/backend/builtin_atomic.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/backend/wrap_atomic.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// CUDA has no wave scope: block is the next wider one. Cluster scope is builtin_atomic.hpp's; where the target has no
// clusters it is the device's.
FERMATA_FN constexpr ::cuda::thread_scope native_scope(thread_scope s) {
  switch (s) {
    case thread_scope::thread: return ::cuda::thread_scope_thread;
    case thread_scope::wave:
    case thread_scope::block: return ::cuda::thread_scope_block;
    case thread_scope::cluster:
    case thread_scope::device: return ::cuda::thread_scope_device;
    case thread_scope::system: break;
  }
  return ::cuda::thread_scope_system;
}

FERMATA_FN constexpr ::cuda::std::memory_order native_order(std::memory_order o) {
  switch (o) {
    case std::memory_order_relaxed: return ::cuda::std::memory_order_relaxed;
    case std::memory_order_consume:
    case std::memory_order_acquire: return ::cuda::std::memory_order_acquire;
    case std::memory_order_release: return ::cuda::std::memory_order_release;
    case std::memory_order_acq_rel: return ::cuda::std::memory_order_acq_rel;
    case std::memory_order_seq_cst: break;
  }
  return ::cuda::std::memory_order_seq_cst;
}

template <thread_scope S, class T>
FERMATA_DEVICE auto native_ref(T* p) noexcept {
  return ::cuda::atomic_ref<T, native_scope(S)>(*p);
}

template <thread_scope S, class W>
inline constexpr bool by_builtin = in_cluster<S> || sizeof(W) == 1 || sizeof(W) == 16;

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_load(W const* p) noexcept {
  if constexpr (by_builtin<S, W>) return builtin::load<S, O>(const_cast<W*>(p));
  else return native_ref<S>(const_cast<W*>(p)).load(native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE void atomic_store(W* p, W value) noexcept {
  if constexpr (by_builtin<S, W>) builtin::store<S, O>(p, value);
  else native_ref<S>(p).store(value, native_order(O));
}

// The 32-bit operations that the one- and two-byte ones at cluster scope are made of; libcu++ makes its own.
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

template <thread_scope S, class W>
inline constexpr bool narrow_in_cluster = in_cluster<S> && sizeof(W) < 4;

// Runs a relaxed operation with the order around it.
template <thread_scope S, std::memory_order O, class F>
FERMATA_DEVICE auto fenced(F operation) noexcept {
  if constexpr (O == std::memory_order_seq_cst) atomic_thread_fence<S, O>();
  else if constexpr (detail::releases(O)) atomic_thread_fence<S, std::memory_order_release>();
  auto const old = operation();
  if constexpr (detail::acquires(O)) atomic_thread_fence<S, std::memory_order_acquire>();
  return old;
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_exchange(W* p, W value) noexcept {
  if constexpr (narrow_in_cluster<S, W>)
    return fenced<S, O>([=] { return detail::generic::subword_fetch_update<S>(p, [value](W) { return value; }); });
  else if constexpr (in_cluster<S> || sizeof(W) == 16) return builtin::exchange<S, O>(p, value);
  else return native_ref<S>(p).exchange(value, native_order(O));
}

template <thread_scope S, std::memory_order OnSuccess, std::memory_order OnFailure, class W>
FERMATA_DEVICE bool atomic_compare_exchange(W* p, W& expected, W desired) noexcept {
  if constexpr (narrow_in_cluster<S, W>)
    return fenced<S, detail::both_orders(OnSuccess, OnFailure)>(
        [&] { return detail::generic::subword_compare_exchange<S>(p, expected, desired); });
  else if constexpr (in_cluster<S> || sizeof(W) == 16)
    return builtin::compare_exchange<S, detail::both_orders(OnSuccess, OnFailure)>(p, expected, desired);
  else
    return native_ref<S>(p).compare_exchange_strong(expected, desired, native_order(OnSuccess),
                                                    native_order(OnFailure));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add(T* p, T value) noexcept {
  if constexpr (narrow_in_cluster<S, T>)
    return fenced<S, O>([=] {
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return static_cast<T>(old + value); });
    });
  else if constexpr (in_cluster<S>) return builtin::fetch_add<S, O>(p, value);
  else return native_ref<S>(p).fetch_add(value, native_order(O));
}

// A promise about the memory changes nothing here: the sum of floats is the same for every kind.
template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add_coarse_grained(T* p, T value) noexcept {
  return atomic_fetch_add<S, O>(p, value);
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_and(W* p, W value) noexcept {
  if constexpr (narrow_in_cluster<S, W>)
    return fenced<S, O>([=] { return detail::generic::subword_fetch_and<S>(p, value); });
  else if constexpr (in_cluster<S>) return builtin::fetch_and<S, O>(p, value);
  else return native_ref<S>(p).fetch_and(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_or(W* p, W value) noexcept {
  if constexpr (narrow_in_cluster<S, W>)
    return fenced<S, O>([=] { return detail::generic::subword_fetch_or<S>(p, value); });
  else if constexpr (in_cluster<S>) return builtin::fetch_or<S, O>(p, value);
  else return native_ref<S>(p).fetch_or(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_xor(W* p, W value) noexcept {
  if constexpr (narrow_in_cluster<S, W>)
    return fenced<S, O>([=] { return detail::generic::subword_fetch_xor<S>(p, value); });
  else if constexpr (in_cluster<S>) return builtin::fetch_xor<S, O>(p, value);
  else return native_ref<S>(p).fetch_xor(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_min(T* p, T value) noexcept {
  if constexpr (narrow_in_cluster<S, T>)
    return fenced<S, O>([=] {
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return value < old ? value : old; });
    });
  else if constexpr (in_cluster<S>) return builtin::fetch_min<S, O>(p, value);
  else return native_ref<S>(p).fetch_min(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_max(T* p, T value) noexcept {
  if constexpr (narrow_in_cluster<S, T>)
    return fenced<S, O>([=] {
      return detail::generic::subword_fetch_update<S>(p, [value](T old) { return old < value ? value : old; });
    });
  else if constexpr (in_cluster<S>) return builtin::fetch_max<S, O>(p, value);
  else return native_ref<S>(p).fetch_max(value, native_order(O));
}

// Polls with order O itself: on an H200 that beats relaxed polls and a fence, and ptxas keeps the loop tight.
template <thread_scope S, std::memory_order O, class W, class Predicate>
FERMATA_DEVICE W atomic_await(W const* p, Predicate ready) noexcept {
  W seen;
  do seen = atomic_load<S, O>(p);
  while (!ready(seen));
  return seen;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
