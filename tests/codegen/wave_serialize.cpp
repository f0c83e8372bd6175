// A lock for each lane: the critical section must stay inside the loop over the lanes. On AMD a loop in which the lanes
// compete for the lock themselves is compiled with the unlock behind it, where nobody ever comes.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>
#include <fermata/wave_serialize.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL lock_in_each_lane(unsigned* lock, unsigned* count) {
  fm::device_atomic_ref<unsigned> const word(*lock);
  fm::wave_serialize([&] {
    unsigned free = 0;
    while (!word.compare_exchange_weak(free, 1u, fm::memory_order_acquire, fm::memory_order_relaxed)) free = 0;
    *count += 1;
    word.store(0u, fm::memory_order_release);
  });
}
// SM90-LABEL:   .entry lock_in_each_lane(
// SM90:         activemask.b32
// SM90:         atom.cas.acquire.gpu.b32
// SM90:         st.release.gpu.b32
// SM90:         bar.warp.sync
// SM90:         @{{%p[0-9]+}} bra
// SM90:         ret;

// The loop over the lanes ends at a scalar branch, that is, for all of them at once; its last block comes first.
// AMD-LABEL:    {{^}}lock_in_each_lane:
// AMD:          [[NEXT:\.LBB[0-9_]+]]:
// GFX9:         s_and_b64 [[REST:s\[[0-9:]+\]]], {{.*}}
// GFX9:         s_cmp_lg_u64 [[REST]], 0
// AMD:          ; wave barrier
// AMD:          s_cbranch_{{scc0|vccnz}} [[END:\.LBB[0-9_]+]]
// AMD:          v_cmp_{{eq|ne}}_u32
// AMD:          s_and_saveexec_b
// AMD:          [[RETRY:\.LBB[0-9_]+]]:
// AMD:          global_atomic_cmpswap
// AMD:          s_cbranch_execnz [[RETRY]]
// AMD:          global_load_
// AMD:          global_store_
// AMD:          global_store_
// AMD:          s_branch [[NEXT]]
// AMD:          [[END]]:
// AMD-NOT:      global_
// AMD:          s_endpgm
