// The cluster's barrier: the hardware's on NVIDIA, the block's on AMD.
#include <fermata/cluster.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL_BOUNDS(256) cluster_sync(unsigned* p) {
  p[threadIdx.x] = 1;
  fm::this_cluster().sync();
  p[threadIdx.x + 1] = 2;
}
// SM90-LABEL:   .entry cluster_sync(
// SM90-NOT:     {{fence|membar|bar.sync}}
// SM90:         st.global
// SM90-NOT:     {{fence|membar|bar.sync|st.global}}
// SM90:         barrier.cluster.arrive.release;
// SM90-NOT:     {{fence|membar|bar.sync|st.global}}
// SM90:         barrier.cluster.wait.acquire;
// SM90-NOT:     {{fence|membar|bar.sync}}
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}cluster_sync:
// AMD:          global_store_
// AMD-NOT:      {{(global|flat|buffer)_}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// AMD-NOT:      s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

// In two halves: on NVIDIA what stands between them is done while the others arrive.
extern "C" FERMATA_KERNEL_BOUNDS(256) cluster_split(unsigned* p) {
  p[threadIdx.x] = 1;
  auto const token = fm::this_cluster().arrive();
  p[threadIdx.x + 256] = 2;
  fm::this_cluster().wait(token);
  p[threadIdx.x + 1] = 3;
}
// SM90-LABEL:   .entry cluster_split(
// SM90:         st.global
// SM90-NOT:     st.global
// SM90:         barrier.cluster.arrive.release;
// SM90:         st.global
// SM90-NOT:     st.global
// SM90:         barrier.cluster.wait.acquire;
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}cluster_split:
// AMD-NOT:      s_barrier
// AMD-COUNT-2:  global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// AMD-NOT:      s_barrier
// AMD:          s_endpgm

// One block on AMD, known when it is compiled.
extern "C" FERMATA_KERNEL_BOUNDS(256) cluster_place(unsigned* p) {
  p[0] = fm::this_cluster().rank();
  p[1] = fm::this_cluster().size();
}
// SM90-LABEL:   .entry cluster_place(
// SM90:         %cluster_ctarank;
// SM90:         %cluster_nctarank;
// AMD-LABEL:    {{^}}cluster_place:
// GFX9-DAG:     v_mov_b32_e32 v{{[0-9]+}}, 0
// GFX9-DAG:     v_mov_b32_e32 v{{[0-9]+}}, 1
// GFX1100:      v_dual_mov_b32 v{{[0-9]+}}, 0 :: v_dual_mov_b32 v{{[0-9]+}}, 1
// AMD:          global_store_
// AMD:          s_endpgm
