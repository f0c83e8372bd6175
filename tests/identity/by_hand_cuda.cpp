// The twins of fermata.cpp as a CUDA programmer writes them by hand: PTX and the compiler's intrinsics.
#include <cstdint>

using u32 = unsigned;
using u64 = std::uint64_t;
using i32 = int;
using f32 = float;
using f64 = double;

#define KERNEL extern "C" __global__ void
#define SCOPE_block "cta"
#define SCOPE_device "gpu"
#define SCOPE_system "sys"
#define WIDTH_u32 "b32"
#define WIDTH_i32 "b32"
#define WIDTH_u64 "b64"
#define NUMBER_u32 "u32"
#define NUMBER_i32 "s32"
#define NUMBER_u64 "u64"
#define NUMBER_f32 "f32"
#define NUMBER_f64 "f64"
#define REGISTER_u32 "r"
#define REGISTER_i32 "r"
#define REGISTER_u64 "l"
#define REGISTER_f32 "f"
#define REGISTER_f64 "d"

#define FENCE_SC(scope) asm volatile("fence.sc." SCOPE_##scope ";" ::: "memory")

#define LOAD(semantics, type, scope)                                                                \
  asm volatile("ld." semantics "." SCOPE_##scope "." WIDTH_##type " %0, [%1];"                      \
               : "=" REGISTER_##type(old) : "l"(p) : "memory")
#define STORE(semantics, type, scope)                                                               \
  asm volatile("st." semantics "." SCOPE_##scope "." WIDTH_##type " [%0], %1;"                      \
               :: "l"(p), REGISTER_##type(value) : "memory")
#define UPDATE(semantics, operation, kind, type, scope)                                             \
  asm volatile("atom." operation "." semantics "." SCOPE_##scope "." kind##_##type " %0, [%1], %2;" \
               : "=" REGISTER_##type(old) : "l"(p), REGISTER_##type(value) : "memory")
#define SWAP_IF(semantics, type, scope)                                                             \
  asm volatile("atom.cas." semantics "." SCOPE_##scope "." WIDTH_##type " %0, [%1], %2, %3;"        \
               : "=" REGISTER_##type(old)                                                           \
               : "l"(p), REGISTER_##type(type{0}), REGISTER_##type(value) : "memory")

#define ORDER_relaxed "relaxed"
#define ORDER_acquire "acquire"
#define ORDER_release "release"
#define ORDER_acq_rel "acq_rel"
// A seq_cst operation is a fence.sc and the operation with the acquire half (PTX's atomics ABI).
#define ORDER_seq_cst "acquire"
#define BEFORE_relaxed(scope)
#define BEFORE_acquire(scope)
#define BEFORE_release(scope)
#define BEFORE_acq_rel(scope)
#define BEFORE_seq_cst(scope) FENCE_SC(scope);
#define STORE_ORDER_relaxed "relaxed"
#define STORE_ORDER_release "release"
#define STORE_ORDER_seq_cst "relaxed"

#define HAND_load(type, order, scope) BEFORE_##order(scope) LOAD(ORDER_##order, type, scope); *out = old;
#define HAND_store(type, order, scope) BEFORE_##order(scope) STORE(STORE_ORDER_##order, type, scope);
#define HAND_exchange(type, order, scope) \
  BEFORE_##order(scope) UPDATE(ORDER_##order, "exch", WIDTH, type, scope); *out = old;
#define HAND_compare_exchange(type, order, scope) \
  BEFORE_##order(scope) SWAP_IF(ORDER_##order, type, scope); *out = old;
#define HAND_fetch_add(type, order, scope) \
  BEFORE_##order(scope) UPDATE(ORDER_##order, "add", NUMBER, type, scope); *out = old;
#define HAND_fetch_sub(type, order, scope) value = type{0} - value; HAND_fetch_add(type, order, scope)
#define HAND_fetch_and(type, order, scope) UPDATE(ORDER_##order, "and", WIDTH, type, scope); *out = old;
#define HAND_fetch_or(type, order, scope) UPDATE(ORDER_##order, "or", WIDTH, type, scope); *out = old;
#define HAND_fetch_xor(type, order, scope) UPDATE(ORDER_##order, "xor", WIDTH, type, scope); *out = old;
#define HAND_fetch_min(type, order, scope) UPDATE(ORDER_##order, "min", NUMBER, type, scope); *out = old;
#define HAND_fetch_max(type, order, scope) UPDATE(ORDER_##order, "max", NUMBER, type, scope); *out = old;

#define CELL(operation, type, order, scope)                                                             \
  KERNEL atomic_##operation##_##type##_##order##_##scope(type* p, type value, type* out) {              \
    [[maybe_unused]] type old;                                                                          \
    HAND_##operation(type, order, scope)                                                                \
  }
#include "cells.inc"

KERNEL atomic_inc_wrap_relaxed_device(u32* p, u32 limit, u32* out) {
  u32 old;
  asm volatile("atom.inc.relaxed.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(limit) : "memory");
  *out = old;
}
KERNEL atomic_dec_wrap_acq_rel_device(u32* p, u32 limit, u32* out) {
  u32 old;
  asm volatile("atom.dec.acq_rel.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(limit) : "memory");
  *out = old;
}
KERNEL atomic_await_acquire_device(u32* p, u32 value, u32* out) {
  u32 old;
  do LOAD("acquire", u32, device);
  while (old == value);
  *out = value;
}

// PTX 8 has no acquire or release form of the fence: acq_rel is what both are.
#define FENCE_KIND_acquire "acq_rel"
#define FENCE_KIND_release "acq_rel"
#define FENCE_KIND_acq_rel "acq_rel"
#define FENCE_KIND_seq_cst "sc"
#define FENCE(order, scope)                                                       \
  KERNEL fence_##order##_##scope(u32* a, u32* b) {                                \
    *a = 1;                                                                       \
    asm volatile("fence." FENCE_KIND_##order "." SCOPE_##scope ";" ::: "memory"); \
    *b = 2;                                                                       \
  }
#define FENCES(scope) FENCE(acquire, scope) FENCE(release, scope) FENCE(acq_rel, scope) FENCE(seq_cst, scope)
FENCES(block) FENCES(device) FENCES(system)

// --- lanes ------------------------------------------------------------------------------------------------------

static constexpr u32 every_lane = 0xFFFFFFFFu;

KERNEL wave_sync(u32* a) {
  a[0] = 1;
  __syncwarp();
  a[1] = 2;
}
KERNEL wave_lane(u32* out) {
  u32 lane;
  // Not volatile: a lane never changes, and reading it touches no memory.
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  *out = lane;
}
KERNEL wave_any(u32 const* in, u32* out) { *out = __any_sync(every_lane, *in > 3) != 0; }
KERNEL wave_all(u32 const* in, u32* out) { *out = __all_sync(every_lane, *in > 3) != 0; }
KERNEL wave_ballot(u32 const* in, u64* out) { *out = __ballot_sync(every_lane, *in > 3); }
KERNEL wave_ballot_count(u32 const* in, u32* out) { *out = __popc(__ballot_sync(every_lane, *in > 3)); }
KERNEL wave_shfl_u32(u32 const* in, u32 source, u32* out) { *out = __shfl_sync(every_lane, *in, source); }
KERNEL wave_shfl_f64(f64 const* in, u32 source, f64* out) { *out = __shfl_sync(every_lane, *in, source); }
KERNEL wave_shfl_xor_u32(u32 const* in, u32* out) { *out = __shfl_xor_sync(every_lane, *in, 5); }
KERNEL wave_shfl_xor_f64(f64 const* in, f64* out) { *out = __shfl_xor_sync(every_lane, *in, 5); }
KERNEL wave_shfl_up_u32(u32 const* in, u32* out) { *out = __shfl_up_sync(every_lane, *in, 3); }
KERNEL wave_shfl_down_u32(u32 const* in, u32* out) { *out = __shfl_down_sync(every_lane, *in, 3); }
KERNEL wave_broadcast_u32(u32 const* in, u32* out) { *out = __shfl_sync(every_lane, *in, 7); }

// --- blocks -----------------------------------------------------------------------------------------------------

KERNEL block_sync(u32* a) {
  a[0] = 1;
  __syncthreads();
  a[1] = 2;
}
KERNEL block_thread_rank(u32* out) { *out = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

// --- data as its own signal -----------------------------------------------------------------------------------------

// A value that equals the pattern of an empty slot is published as its neighbour.
static constexpr u32 empty = 0x7FA5A5A5u;
KERNEL sentinel_publish(u32* p, f32 number) {
  u32 value = __float_as_uint(number);
  if (value == empty) value ^= 1;
  STORE("relaxed", u32, device);
}
KERNEL sentinel_await(u32* p, u32* out) {
  u32 old;
  do LOAD("relaxed", u32, device);
  while (old == empty);
  *out = old;
}
KERNEL sentinel_ready(u32* p, u32* out) {
  u32 old;
  LOAD("relaxed", u32, device);
  *out = old != empty;
}
KERNEL flagged_publish(u64* p, f32 number, u32 epoch) {
  u32 const low = __float_as_uint(number);
  u64 value = static_cast<u64>(epoch) << 32 | low;
  STORE("relaxed", u64, device);
}
KERNEL flagged_await(u64* p, u32 epoch, u32* out) {
  u64 old;
  do LOAD("relaxed", u64, device);
  while (static_cast<u32>(old >> 32) != epoch);
  *out = static_cast<u32>(old);
}
