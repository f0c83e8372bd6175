// Every operation that is compared, through fermata. The twins are in by_hand_cuda.cpp and by_hand_hip.cpp.
#include <cstdint>
#include <fermata/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/fence.hpp>
#include <fermata/flagged.hpp>
#include <fermata/grid.hpp>
#include <fermata/kernel.hpp>
#include <fermata/sentinel.hpp>
#include <fermata/wave.hpp>

namespace fm = fermata;
using u32 = unsigned;
using u64 = std::uint64_t;
using i32 = int;
using f32 = float;
using f64 = double;

template <class Ref, class T, class Order>
FERMATA_DEVICE void load(Ref ref, T, T* out, Order order) {
  *out = ref.load(order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void store(Ref ref, T value, T*, Order order) {
  ref.store(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void exchange(Ref ref, T value, T* out, Order order) {
  *out = ref.exchange(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void compare_exchange(Ref ref, T value, T* out, Order order) {
  T expected = 0;
  ref.compare_exchange_strong(expected, value, order);
  *out = expected;
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_add(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_add(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_sub(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_sub(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_and(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_and(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_or(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_or(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_xor(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_xor(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_min(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_min(value, order);
}
template <class Ref, class T, class Order>
FERMATA_DEVICE void fetch_max(Ref ref, T value, T* out, Order order) {
  *out = ref.fetch_max(value, order);
}

#define CELL(operation, type, order, scope)                                                                   \
  extern "C" FERMATA_KERNEL atomic_##operation##_##type##_##order##_##scope(type* p, type value, type* out) { \
    operation(fm::atomic_ref<type, fm::thread_scope_##scope>(*p), value, out, fm::memory_order_##order);      \
  }
#include "cells.inc"

extern "C" FERMATA_KERNEL atomic_inc_wrap_relaxed_device(u32* p, u32 limit, u32* out) {
  *out = fm::device_atomic_ref<u32>(*p).fetch_inc_wrap(limit, fm::memory_order_relaxed);
}
extern "C" FERMATA_KERNEL atomic_dec_wrap_acq_rel_device(u32* p, u32 limit, u32* out) {
  *out = fm::device_atomic_ref<u32>(*p).fetch_dec_wrap(limit, fm::memory_order_acq_rel);
}
extern "C" FERMATA_KERNEL atomic_await_acquire_device(u32* p, u32 value, u32* out) {
  fm::device_atomic_ref<u32>(*p).wait(value, fm::memory_order_acquire);
  *out = value;
}

#define FENCE(order, scope)                                                      \
  extern "C" FERMATA_KERNEL fence_##order##_##scope(u32* a, u32* b) {            \
    *a = 1;                                                                      \
    fm::atomic_thread_fence(fm::memory_order_##order, fm::thread_scope_##scope); \
    *b = 2;                                                                      \
  }
#define FENCES(scope) FENCE(acquire, scope) FENCE(release, scope) FENCE(acq_rel, scope) FENCE(seq_cst, scope)
FENCES(block)
FENCES(device) FENCES(system)

    // --- lanes ------------------------------------------------------------------------------------------------------

    extern "C" FERMATA_KERNEL wave_sync(u32* a) {
  a[0] = 1;
  fm::this_wave().sync();
  a[1] = 2;
}
extern "C" FERMATA_KERNEL wave_lane(u32* out) { *out = fm::this_wave().lane(); }
extern "C" FERMATA_KERNEL wave_any(u32 const* in, u32* out) { *out = fm::this_wave().any(*in > 3); }
extern "C" FERMATA_KERNEL wave_all(u32 const* in, u32* out) { *out = fm::this_wave().all(*in > 3); }
extern "C" FERMATA_KERNEL wave_ballot(u32 const* in, u64* out) { *out = fm::this_wave().ballot(*in > 3).to_uint64(); }
extern "C" FERMATA_KERNEL wave_ballot_count(u32 const* in, u32* out) { *out = fm::this_wave().ballot(*in > 3).count(); }
extern "C" FERMATA_KERNEL wave_shfl_u32(u32 const* in, u32 source, u32* out) {
  *out = fm::this_wave().shfl(*in, source);
}
extern "C" FERMATA_KERNEL wave_shfl_f64(f64 const* in, u32 source, f64* out) {
  *out = fm::this_wave().shfl(*in, source);
}
extern "C" FERMATA_KERNEL wave_shfl_xor_u32(u32 const* in, u32* out) { *out = fm::this_wave().shfl_xor(*in, 5); }
extern "C" FERMATA_KERNEL wave_shfl_xor_f64(f64 const* in, f64* out) { *out = fm::this_wave().shfl_xor(*in, 5); }
extern "C" FERMATA_KERNEL wave_shfl_up_u32(u32 const* in, u32* out) { *out = fm::this_wave().shfl_up(*in, 3); }
extern "C" FERMATA_KERNEL wave_shfl_down_u32(u32 const* in, u32* out) { *out = fm::this_wave().shfl_down(*in, 3); }
extern "C" FERMATA_KERNEL wave_broadcast_u32(u32 const* in, u32* out) { *out = fm::this_wave().broadcast(*in, 7); }

// --- blocks -----------------------------------------------------------------------------------------------------

extern "C" FERMATA_KERNEL block_sync(u32* a) {
  a[0] = 1;
  fm::this_block().sync();
  a[1] = 2;
}
extern "C" FERMATA_KERNEL block_thread_rank(u32* out) { *out = fm::this_block().thread_rank(); }

// --- data as its own signal -----------------------------------------------------------------------------------------

extern "C" FERMATA_KERNEL sentinel_publish(fm::sentinel<float>* slot, float value) { slot->publish(value); }
extern "C" FERMATA_KERNEL sentinel_await(fm::sentinel<float>* slot, float* out) { *out = slot->await(); }
extern "C" FERMATA_KERNEL sentinel_ready(fm::sentinel<float>* slot, u32* out) { *out = slot->ready(); }
extern "C" FERMATA_KERNEL flagged_publish(fm::flagged<float>* slot, float value, u32 epoch) {
  slot->publish(value, epoch);
}
extern "C" FERMATA_KERNEL flagged_await(fm::flagged<float>* slot, u32 epoch, float* out) { *out = slot->await(epoch); }
