// Every atomic operation for every type, order and scope that it takes, and every fence: all of it compiles on every
// target, calls nothing, and keeps its values in registers. (Among them are the cells on which clang 19 fails if they
// are left to it: one- and two-byte operations at a uniform address.)
#include <fermata/atomic.hpp>
#include <fermata/fence.hpp>
#include <fermata/kernel.hpp>

#include "matrix_cells.hpp"

namespace fm = fermata;
using fm::atomic_op;
using matrix::letter, matrix::pair;

template <class... Tags, class F>
FERMATA_DEVICE void for_each(F f) {
  (f(Tags{}), ...);
}

using relaxed = fm::memory_order_tag<std::memory_order_relaxed>;
using acquire = fm::memory_order_tag<std::memory_order_acquire>;
using seq_cst = fm::memory_order_tag<std::memory_order_seq_cst>;

// One kernel for each type, scope and order: the compilers are slow on large functions.
template <class T, fm::thread_scope S, std::memory_order O>
FERMATA_KERNEL accesses(T* p, T value, T* out) {
  using matrix::exists;
  fm::atomic_ref<T, S> const ref(*p);
  constexpr fm::memory_order_tag<O> order;
  if constexpr (exists<T, atomic_op::load, O>) *out++ = ref.load(order);
  if constexpr (exists<T, atomic_op::store, O>) ref.store(value, order);
  if constexpr (exists<T, atomic_op::wait, O>) ref.wait(value, order);
  if constexpr (exists<T, atomic_op::exchange, O>) *out++ = ref.exchange(value, order);
  if constexpr (exists<T, atomic_op::compare_exchange, O>) {
    T expected = *out;
    for_each<relaxed, acquire, seq_cst>([&](auto failure) {
      if (ref.compare_exchange_weak(expected, value, order, failure)) *out++ = expected;
    });
  }
  fm::atomic_thread_fence(order, fm::thread_scope_tag<S>{});
}

template <class T, fm::thread_scope S, std::memory_order O>
FERMATA_KERNEL updates(T* p, T value, T* out) {
  using matrix::exists;
  fm::atomic_ref<T, S> const ref(*p);
  constexpr fm::memory_order_tag<O> order;
  if constexpr (std::is_pointer_v<T>) {
    if constexpr (exists<T, atomic_op::fetch_add, O>) *out++ = ref.fetch_add(3, order);
    if constexpr (exists<T, atomic_op::fetch_sub, O>) *out++ = ref.fetch_sub(3, order);
  } else {
    if constexpr (exists<T, atomic_op::fetch_add, O>) *out++ = ref.fetch_add(value, order);
    if constexpr (exists<T, atomic_op::fetch_sub, O>) *out++ = ref.fetch_sub(value, order);
  }
  if constexpr (exists<T, atomic_op::fetch_min, O>) *out++ = ref.fetch_min(value, order);
  if constexpr (exists<T, atomic_op::fetch_max, O>) *out++ = ref.fetch_max(value, order);
  if constexpr (exists<T, atomic_op::fetch_and, O>) *out++ = ref.fetch_and(value, order);
  if constexpr (exists<T, atomic_op::fetch_or, O>) *out++ = ref.fetch_or(value, order);
  if constexpr (exists<T, atomic_op::fetch_xor, O>) *out++ = ref.fetch_xor(value, order);
  if constexpr (exists<T, atomic_op::fetch_inc_wrap, O>) *out++ = ref.fetch_inc_wrap(value, order);
  if constexpr (exists<T, atomic_op::fetch_dec_wrap, O>) *out++ = ref.fetch_dec_wrap(value, order);
}

// The same on shared memory.
template <class T>
FERMATA_KERNEL shared_cells(T value, T* out) {
  FERMATA_SHARED(cell, T);
  fm::block_atomic_ref<T> const ref(cell);
  ref.store(value, fm::memory_order_release);
  *out++ = ref.fetch_add(value, fm::memory_order_acq_rel);
  *out++ = ref.exchange(value, fm::memory_order_seq_cst);
  *out++ = ref.load(fm::memory_order_acquire);
}

#define FERMATA_ORDERS(F, S, ...)                                                                                \
  template FERMATA_KERNEL F<__VA_ARGS__, S, std::memory_order_relaxed>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL F<__VA_ARGS__, S, std::memory_order_acquire>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL F<__VA_ARGS__, S, std::memory_order_release>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL F<__VA_ARGS__, S, std::memory_order_acq_rel>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL F<__VA_ARGS__, S, std::memory_order_seq_cst>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*)
#define FERMATA_CELLS(F, ...)                                \
  FERMATA_ORDERS(F, fm::thread_scope::thread, __VA_ARGS__);  \
  FERMATA_ORDERS(F, fm::thread_scope::wave, __VA_ARGS__);    \
  FERMATA_ORDERS(F, fm::thread_scope::block, __VA_ARGS__);   \
  FERMATA_ORDERS(F, fm::thread_scope::cluster, __VA_ARGS__); \
  FERMATA_ORDERS(F, fm::thread_scope::device, __VA_ARGS__);  \
  FERMATA_ORDERS(F, fm::thread_scope::system, __VA_ARGS__)

// The types of matrix_cells.hpp. Only numbers and pointers have updates.
FERMATA_CELLS(accesses, signed char);
FERMATA_CELLS(accesses, unsigned char);
FERMATA_CELLS(accesses, short);
FERMATA_CELLS(accesses, unsigned short);
FERMATA_CELLS(accesses, int);
FERMATA_CELLS(accesses, unsigned);
FERMATA_CELLS(accesses, long long);
FERMATA_CELLS(accesses, unsigned long long);
FERMATA_CELLS(accesses, float);
FERMATA_CELLS(accesses, double);
FERMATA_CELLS(accesses, bool);
FERMATA_CELLS(accesses, letter);
FERMATA_CELLS(accesses, pair);
FERMATA_CELLS(accesses, int*);
FERMATA_CELLS(updates, signed char);
FERMATA_CELLS(updates, unsigned char);
FERMATA_CELLS(updates, short);
FERMATA_CELLS(updates, unsigned short);
FERMATA_CELLS(updates, int);
FERMATA_CELLS(updates, unsigned);
FERMATA_CELLS(updates, long long);
FERMATA_CELLS(updates, unsigned long long);
FERMATA_CELLS(updates, float);
FERMATA_CELLS(updates, double);
FERMATA_CELLS(updates, int*);

template FERMATA_KERNEL shared_cells<unsigned char>(unsigned char, unsigned char*);
template FERMATA_KERNEL shared_cells<short>(short, short*);
template FERMATA_KERNEL shared_cells<unsigned>(unsigned, unsigned*);
template FERMATA_KERNEL shared_cells<long long>(long long, long long*);
template FERMATA_KERNEL shared_cells<float>(float, float*);
template FERMATA_KERNEL shared_cells<double>(double, double*);

// tests/native/run prints these two numbers.
static_assert(matrix::cells.existing == 4476 && matrix::cells.refused == 3084);

// SM90ONLY-COUNT-756: .entry
// SM90ONLY-NOT:     .entry
// AMD-COUNT-756: .amdhsa_kernel
// AMD-NOT:      .amdhsa_kernel
