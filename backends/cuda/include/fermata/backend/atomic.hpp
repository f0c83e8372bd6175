// CUDA: atomics through libcu++, whose PTX is the hand-written one (tests/codegen says which).
#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <type_traits>

#include <fermata/backend/fence.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// CUDA has no wave scope: block is the next wider one. libcu++ 13.0 has no cluster scope either, so a cluster-scope
// atomic is a device-scope one; PTX's .cluster would only ever be as strong or weaker.
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

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_load(W const* p) noexcept {
  return native_ref<S>(const_cast<W*>(p)).load(native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE void atomic_store(W* p, W value) noexcept {
  native_ref<S>(p).store(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_exchange(W* p, W value) noexcept {
  return native_ref<S>(p).exchange(value, native_order(O));
}

template <thread_scope S, std::memory_order OnSuccess, std::memory_order OnFailure, class W>
FERMATA_DEVICE bool atomic_compare_exchange(W* p, W& expected, W desired) noexcept {
  return native_ref<S>(p).compare_exchange_strong(expected, desired, native_order(OnSuccess), native_order(OnFailure));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_add(T* p, T value) noexcept {
  return native_ref<S>(p).fetch_add(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_and(W* p, W value) noexcept {
  return native_ref<S>(p).fetch_and(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_or(W* p, W value) noexcept {
  return native_ref<S>(p).fetch_or(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class W>
FERMATA_DEVICE W atomic_fetch_xor(W* p, W value) noexcept {
  return native_ref<S>(p).fetch_xor(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_min(T* p, T value) noexcept {
  return native_ref<S>(p).fetch_min(value, native_order(O));
}

template <thread_scope S, std::memory_order O, class T>
FERMATA_DEVICE T atomic_fetch_max(T* p, T value) noexcept {
  return native_ref<S>(p).fetch_max(value, native_order(O));
}

// Polls with order O itself: on an H200 that beats relaxed polls and a fence, and ptxas keeps the loop tight.
template <thread_scope S, std::memory_order O, class W, class Predicate>
FERMATA_DEVICE W atomic_await(W const* p, Predicate ready) noexcept {
  W seen = atomic_load<S, O>(p);
  while (!ready(seen)) seen = atomic_load<S, O>(p);
  return seen;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

// libcu++ has no wrapping increment, so it is a loop; PTX would have atom.inc.
#include <fermata/detail/generic/atomic.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_inc_wrap(unsigned* p, unsigned limit) noexcept {
  return detail::generic::fetch_inc_wrap<S, O>(p, limit);
}

template <thread_scope S, std::memory_order O>
FERMATA_DEVICE unsigned atomic_fetch_dec_wrap(unsigned* p, unsigned limit) noexcept {
  return detail::generic::fetch_dec_wrap<S, O>(p, limit);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
