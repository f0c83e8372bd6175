// Every atomic operation for every type, order and scope that it takes, and every fence: all of it compiles on every
// target, calls nothing, and keeps its values in registers. (Among them are the cells on which clang 19 fails if they
// are left to it: one- and two-byte operations at a uniform address.)
#include <fermata/atomic.hpp>
#include <fermata/fence.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

template <class... Tags, class F>
FERMATA_DEVICE void for_each(F f) {
  (f(Tags{}), ...);
}

using relaxed = fm::memory_order_tag<std::memory_order_relaxed>;
using acquire = fm::memory_order_tag<std::memory_order_acquire>;
using release = fm::memory_order_tag<std::memory_order_release>;
using acq_rel = fm::memory_order_tag<std::memory_order_acq_rel>;
using seq_cst = fm::memory_order_tag<std::memory_order_seq_cst>;

enum class letter : std::uint16_t { a, b };
struct alignas(8) pair {
  std::int32_t first, second;
};

// One kernel for each type, scope and order: the compilers are slow on large functions.
template <class T, fm::thread_scope S>
FERMATA_KERNEL accesses(T* p, T value, T* out) {
  fm::atomic_ref<T, S> const ref(*p);
  for_each<relaxed, acquire, seq_cst>([&](auto order) { *out++ = ref.load(order); });
  for_each<relaxed, release, seq_cst>([&](auto order) { ref.store(value, order); });
  for_each<relaxed, acquire, seq_cst>([&](auto order) { ref.wait(value, order); });
  for_each<relaxed, acquire, release, acq_rel, seq_cst>(
      [&](auto order) { fm::atomic_thread_fence(order, fm::thread_scope_tag<S>{}); });
}

template <class T, fm::thread_scope S, class Order>
FERMATA_KERNEL updates(T* p, T value, T* out) {
  fm::atomic_ref<T, S> const ref(*p);
  constexpr Order order;
  *out++ = ref.exchange(value, order);
  T expected = *out;
  if (ref.compare_exchange_strong(expected, value, order)) *out++ = expected;
  for_each<relaxed, acquire, seq_cst>([&](auto failure) {
    if (ref.compare_exchange_weak(expected, value, order, failure)) *out++ = expected;
  });
  if constexpr (fm::detail::atomic_integer<T> || fm::detail::atomic_float<T>) {
    *out++ = ref.fetch_add(value, order);
    *out++ = ref.fetch_sub(value, order);
    *out++ = ref.fetch_min(value, order);
    *out++ = ref.fetch_max(value, order);
  }
  if constexpr (fm::detail::atomic_integer<T>) {
    *out++ = ref.fetch_and(value, order);
    *out++ = ref.fetch_or(value, order);
    *out++ = ref.fetch_xor(value, order);
  }
  if constexpr (std::is_same_v<T, unsigned>) {
    *out++ = ref.fetch_inc_wrap(value, order);
    *out++ = ref.fetch_dec_wrap(value, order);
  }
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

#define FERMATA_SCOPE(S, ...)                                                                \
  template FERMATA_KERNEL accesses<__VA_ARGS__, S>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*);         \
  template FERMATA_KERNEL updates<__VA_ARGS__, S, relaxed>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL updates<__VA_ARGS__, S, acquire>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL updates<__VA_ARGS__, S, release>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL updates<__VA_ARGS__, S, acq_rel>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*); \
  template FERMATA_KERNEL updates<__VA_ARGS__, S, seq_cst>(__VA_ARGS__*, __VA_ARGS__, __VA_ARGS__*)
#define FERMATA_CELLS(...)                                \
  FERMATA_SCOPE(fm::thread_scope::thread, __VA_ARGS__);   \
  FERMATA_SCOPE(fm::thread_scope::wave, __VA_ARGS__);     \
  FERMATA_SCOPE(fm::thread_scope::block, __VA_ARGS__);    \
  FERMATA_SCOPE(fm::thread_scope::cluster, __VA_ARGS__);  \
  FERMATA_SCOPE(fm::thread_scope::device, __VA_ARGS__);   \
  FERMATA_SCOPE(fm::thread_scope::system, __VA_ARGS__)

FERMATA_CELLS(unsigned char);
FERMATA_CELLS(short);
FERMATA_CELLS(int);
FERMATA_CELLS(unsigned);
FERMATA_CELLS(long long);
FERMATA_CELLS(unsigned long long);
FERMATA_CELLS(float);
FERMATA_CELLS(double);
// To the backends these are words of the sizes above, so one scope will do.
FERMATA_SCOPE(fm::thread_scope::device, signed char);
FERMATA_SCOPE(fm::thread_scope::device, unsigned short);
FERMATA_SCOPE(fm::thread_scope::device, bool);
FERMATA_SCOPE(fm::thread_scope::device, letter);
FERMATA_SCOPE(fm::thread_scope::device, pair);
FERMATA_SCOPE(fm::thread_scope::device, int*);

template FERMATA_KERNEL shared_cells<unsigned char>(unsigned char, unsigned char*);
template FERMATA_KERNEL shared_cells<short>(short, short*);
template FERMATA_KERNEL shared_cells<unsigned>(unsigned, unsigned*);
template FERMATA_KERNEL shared_cells<long long>(long long, long long*);
template FERMATA_KERNEL shared_cells<float>(float, float*);
template FERMATA_KERNEL shared_cells<double>(double, double*);

// SM90-COUNT-330: .entry
// SM90-NOT:     .entry
// AMD-COUNT-330: .amdhsa_kernel
// AMD-NOT:      .amdhsa_kernel
