// The twins of fermata.cpp as an AMD programmer writes them by hand: clang's builtins. The fences are the memory model
// of LLVM's AMDGPU back end, with the wait behind a write-back that the compilers leave out.
#include <cstdint>

using u32 = unsigned;
using u64 = std::uint64_t;
using i32 = int;
using f32 = float;
using f64 = double;

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device)) static inline
#define SCOPE_block __HIP_MEMORY_SCOPE_WORKGROUP
#define SCOPE_device __HIP_MEMORY_SCOPE_AGENT
#define SCOPE_system __HIP_MEMORY_SCOPE_SYSTEM

DEVICE void wait_for_memory() {
#if defined(__GFX9__)
  __builtin_amdgcn_s_waitcnt(0x0f70);  // vmcnt(0)
#endif
}
// Inside a block nothing has to be written back, but earlier accesses must be complete (gfx11: an agent release waits).
DEVICE void wait_in_block() {
#if defined(__GFX9__)
  wait_for_memory();
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#endif
}
DEVICE void release_block() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); wait_in_block(); }
DEVICE void release_device() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"); wait_for_memory(); }
DEVICE void release_system() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, ""); wait_for_memory(); }
DEVICE void acquire_block() { wait_in_block(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); }
DEVICE void acquire_device() { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"); }
DEVICE void acquire_system() { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, ""); }

#define BEFORE_relaxed(scope)
#define BEFORE_acquire(scope)
#define BEFORE_release(scope) release_##scope();
#define BEFORE_acq_rel(scope) release_##scope();
#define BEFORE_seq_cst(scope) release_##scope();
#define AFTER_relaxed(scope)
#define AFTER_acquire(scope) acquire_##scope();
#define AFTER_release(scope)
#define AFTER_acq_rel(scope) acquire_##scope();
#define AFTER_seq_cst(scope) acquire_##scope();

// A seq_cst load waits for what stands before it and writes nothing back.
#define HAND_load(type, order, scope) HAND_LOAD_##order(type, scope) *out = old;
#define HAND_LOAD_relaxed(type, scope) old = __hip_atomic_load(p, __ATOMIC_RELAXED, SCOPE_##scope);
#define HAND_LOAD_acquire(type, scope) HAND_LOAD_relaxed(type, scope) acquire_##scope();
#define HAND_LOAD_seq_cst(type, scope) SEQ_CST_LOAD_##scope(type)
#define SEQ_CST_LOAD_block(type) release_block(); HAND_LOAD_acquire(type, block)
#define SEQ_CST_LOAD_device(type) old = __hip_atomic_load(p, __ATOMIC_SEQ_CST, SCOPE_device);
#define SEQ_CST_LOAD_system(type) old = __hip_atomic_load(p, __ATOMIC_SEQ_CST, SCOPE_system);

#define HAND_store(type, order, scope) \
  BEFORE_##order(scope) __hip_atomic_store(p, value, __ATOMIC_RELAXED, SCOPE_##scope);
#define HAND_RMW(builtin, order, scope)                           \
  BEFORE_##order(scope)                                           \
  old = builtin(p, value, __ATOMIC_RELAXED, SCOPE_##scope);       \
  AFTER_##order(scope)                                            \
  *out = old;
#define HAND_exchange(type, order, scope) HAND_RMW(__hip_atomic_exchange, order, scope)
#define HAND_fetch_add(type, order, scope) HAND_RMW(__hip_atomic_fetch_add, order, scope)
#define HAND_fetch_sub(type, order, scope) value = type{0} - value; HAND_RMW(__hip_atomic_fetch_add, order, scope)
#define HAND_fetch_and(type, order, scope) HAND_RMW(__hip_atomic_fetch_and, order, scope)
#define HAND_fetch_or(type, order, scope) HAND_RMW(__hip_atomic_fetch_or, order, scope)
#define HAND_fetch_xor(type, order, scope) HAND_RMW(__hip_atomic_fetch_xor, order, scope)
#define HAND_fetch_min(type, order, scope) HAND_RMW(__hip_atomic_fetch_min, order, scope)
#define HAND_fetch_max(type, order, scope) HAND_RMW(__hip_atomic_fetch_max, order, scope)
#define HAND_compare_exchange(type, order, scope)                                                                  \
  old = 0;                                                                                                         \
  BEFORE_##order(scope)                                                                                            \
  __hip_atomic_compare_exchange_strong(p, &old, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, SCOPE_##scope);         \
  AFTER_##order(scope)                                                                                             \
  *out = old;

#define CELL(operation, type, order, scope)                                                             \
  KERNEL atomic_##operation##_##type##_##order##_##scope(type* p, type value, type* out) {              \
    [[maybe_unused]] type old;                                                                          \
    HAND_##operation(type, order, scope)                                                                \
  }
#include "cells.inc"

KERNEL atomic_inc_wrap_relaxed_device(u32* p, u32 limit, u32* out) {
  *out = __builtin_amdgcn_atomic_inc32(p, limit, __ATOMIC_RELAXED, "agent");
}
KERNEL atomic_dec_wrap_acq_rel_device(u32* p, u32 limit, u32* out) {
  release_device();
  u32 const old = __builtin_amdgcn_atomic_dec32(p, limit, __ATOMIC_RELAXED, "agent");
  acquire_device();
  *out = old;
}
KERNEL atomic_await_acquire_device(u32* p, u32 value, u32* out) {
  while (__hip_atomic_load(p, __ATOMIC_RELAXED, SCOPE_device) == value) __builtin_amdgcn_s_sleep(1);
  acquire_device();
  *out = value;
}

#define FENCE_acquire(scope) acquire_##scope();
#define FENCE_release(scope) release_##scope();
#define FENCE_acq_rel(scope) release_##scope(); acquire_##scope();
#define FENCE_seq_cst(scope) release_##scope(); acquire_##scope();
#define FENCE(order, scope)                        \
  KERNEL fence_##order##_##scope(u32* a, u32* b) { \
    *a = 1;                                        \
    FENCE_##order(scope)                           \
    *b = 2;                                        \
  }
#define FENCES(scope) FENCE(acquire, scope) FENCE(release, scope) FENCE(acq_rel, scope) FENCE(seq_cst, scope)
FENCES(block) FENCES(device) FENCES(system)

// --- lanes ------------------------------------------------------------------------------------------------------

#if defined(__GFX9__)
using mask = u64;
DEVICE mask ballot(bool p) { return __builtin_amdgcn_ballot_w64(p); }
DEVICE u32 count(mask m) { return static_cast<u32>(__builtin_popcountll(m)); }
DEVICE u32 lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
#else
using mask = u32;
DEVICE mask ballot(bool p) { return __builtin_amdgcn_ballot_w32(p); }
DEVICE u32 count(mask m) { return static_cast<u32>(__builtin_popcount(m)); }
DEVICE u32 lane_id() { return __builtin_amdgcn_mbcnt_lo(~0u, 0u); }
#endif
static constexpr u32 width = sizeof(mask) * 8;

DEVICE u32 permute(u32 value, u32 source) {
  return static_cast<u32>(__builtin_amdgcn_ds_bpermute(static_cast<int>(source * 4), static_cast<int>(value)));
}
DEVICE f64 permute(f64 value, u32 source) {
  u64 const bits = __builtin_bit_cast(u64, value);
  u32 const low = permute(static_cast<u32>(bits), source), high = permute(static_cast<u32>(bits >> 32), source);
  return __builtin_bit_cast(f64, static_cast<u64>(high) << 32 | low);
}

KERNEL wave_sync(u32* a) {
  a[0] = 1;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  a[1] = 2;
}
KERNEL wave_lane(u32* out) { *out = lane_id(); }
KERNEL wave_any(u32 const* in, u32* out) { *out = ballot(*in > 3) != 0; }
KERNEL wave_all(u32 const* in, u32* out) { *out = ballot(!(*in > 3)) == 0; }
KERNEL wave_ballot(u32 const* in, u64* out) { *out = ballot(*in > 3); }
KERNEL wave_ballot_count(u32 const* in, u32* out) { *out = count(ballot(*in > 3)); }
KERNEL wave_shfl_u32(u32 const* in, u32 source, u32* out) { *out = permute(*in, source); }
KERNEL wave_shfl_f64(f64 const* in, u32 source, f64* out) { *out = permute(*in, source); }
KERNEL wave_shfl_xor_u32(u32 const* in, u32* out) { *out = permute(*in, lane_id() ^ 5); }
KERNEL wave_shfl_xor_f64(f64 const* in, f64* out) { *out = permute(*in, lane_id() ^ 5); }
KERNEL wave_shfl_up_u32(u32 const* in, u32* out) {
  u32 const lane = lane_id();
  *out = permute(*in, lane >= 3 ? lane - 3 : lane);
}
KERNEL wave_shfl_down_u32(u32 const* in, u32* out) {
  u32 const lane = lane_id();
  *out = permute(*in, lane + 3 < width ? lane + 3 : lane);
}
KERNEL wave_broadcast_u32(u32 const* in, u32* out) {
  *out = static_cast<u32>(__builtin_amdgcn_readlane(static_cast<int>(*in), 7));
}

// --- blocks -----------------------------------------------------------------------------------------------------

KERNEL block_sync(u32* a) {
  a[0] = 1;
  release_block();
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  a[1] = 2;
}
KERNEL block_thread_rank(u32* out) {
  u32 const size_x = __builtin_amdgcn_workgroup_size_x(), size_y = __builtin_amdgcn_workgroup_size_y();
  *out = (__builtin_amdgcn_workitem_id_z() * size_y + __builtin_amdgcn_workitem_id_y()) * size_x +
         __builtin_amdgcn_workitem_id_x();
}

// --- data as its own signal -----------------------------------------------------------------------------------------

// A value that equals the pattern of an empty slot is published as its neighbour.
static constexpr u32 empty = 0x7FA5A5A5u;
KERNEL sentinel_publish(u32* p, f32 number) {
  u32 value = __builtin_bit_cast(u32, number);
  if (value == empty) value ^= 1;
  __hip_atomic_store(p, value, __ATOMIC_RELAXED, SCOPE_device);
}
KERNEL sentinel_await(u32* p, u32* out) {
  u32 old;
  while ((old = __hip_atomic_load(p, __ATOMIC_RELAXED, SCOPE_device)) == empty) __builtin_amdgcn_s_sleep(1);
  *out = old;
}
KERNEL sentinel_ready(u32* p, u32* out) { *out = __hip_atomic_load(p, __ATOMIC_RELAXED, SCOPE_device) != empty; }
KERNEL flagged_publish(u64* p, f32 number, u32 epoch) {
  u64 const value = static_cast<u64>(epoch) << 32 | __builtin_bit_cast(u32, number);
  __hip_atomic_store(p, value, __ATOMIC_RELAXED, SCOPE_device);
}
KERNEL flagged_await(u64* p, u32 epoch, u32* out) {
  u64 old;
  while (static_cast<u32>((old = __hip_atomic_load(p, __ATOMIC_RELAXED, SCOPE_device)) >> 32) != epoch)
    __builtin_amdgcn_s_sleep(1);
  *out = static_cast<u32>(old);
}
