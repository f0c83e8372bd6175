// Fences on AMD, and the two halves that every ordered operation of this backend is made of.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>

#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// Waits until every vector memory operation of the calling wave has completed, whatever the compiler believes is
// outstanding. gfx9 needs it after a write-back: clang 19 to 22 do not count buffer_wbl2 as outstanding and drop the
// wait that the memory model demands there (repaired in llvm-project #178316), so that a flag can overtake the data
// it announces. To the compiler it also is a barrier for every memory access. It waits for the vector memory counter
// alone; shared memory is waited for by the fences, and the compiler counts that rightly.
FERMATA_DEVICE inline void drain_vector_memory() noexcept {
#if defined(__GFX8__) || defined(__GFX9__)
  // The gfx8/gfx9 encoding of vmcnt(0) with all other counters at their maximum. gfx10 and later encode it otherwise.
  __builtin_amdgcn_s_waitcnt(0x0f70);
#endif
}

// What a workgroup fence leaves out: inside a block the hardware keeps global accesses in order among themselves, so
// the compiler lets such a fence wait for none of them. That is not enough for
//   - cumulativity: another wave that acquires our release and then releases at device scope waits for its own accesses
//     only, so ours must have completed by then;
//   - global memory against shared memory, which are not kept in order: data in one, the flag in the other.
FERMATA_DEVICE inline void drain_for_block() noexcept {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  // An agent release is the wait for loads and stores and writes nothing back there. (A workgroup fence of clang up to
  // 21 waits in WGP mode but not in CU mode.)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#else
  drain_vector_memory();
#endif
}

// Everything that the calling thread did, or has observed with an acquire, becomes visible to the scope before any
// later write of the thread: write back, then wait. The operation that follows may then be relaxed.
template <thread_scope S>
FERMATA_DEVICE void release_fence() noexcept {
  if constexpr (S == thread_scope::thread) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "singlethread");
  } else if constexpr (S == thread_scope::wave) {
    // The lanes of a wave share one counter, so a later release by any of them waits for all of them.
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  } else if constexpr (S == thread_scope::block) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    drain_for_block();
  } else if constexpr (S == thread_scope::system) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
    drain_vector_memory();
  } else {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    drain_vector_memory();
  }
}

// What the scope released before an operation that the calling thread has read from is visible to it from here on:
// wait for the reads, then invalidate the caches.
template <thread_scope S>
FERMATA_DEVICE void acquire_fence() noexcept {
  if constexpr (S == thread_scope::thread) {
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "singlethread");
  } else if constexpr (S == thread_scope::wave) {
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  } else if constexpr (S == thread_scope::block) {
    drain_for_block();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  } else if constexpr (S == thread_scope::system) {
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  } else {
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  }
}

// acq_rel and seq_cst are write-back, wait, invalidate: one fence of that order would invalidate before the wait that
// we have to add. The wait is for all earlier accesses, loads and stores, and no later access starts before it has
// ended; this is all that a seq_cst fence adds on this hardware (LLVM's AMDGPU memory model has one code for both).
template <thread_scope S, std::memory_order O>
FERMATA_DEVICE void atomic_thread_fence() noexcept {
  if constexpr (detail::releases(O)) release_fence<S>();
  if constexpr (detail::acquires(O)) acquire_fence<S>();
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
