// Grid barriers: block barrier, one leader's release, relaxed polls, one acquire, block barrier.
#include <fermata/grid.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_monotonic(unsigned* data, fm::grid_barrier<fm::monotonic> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// SM90-LABEL:   .entry barrier_monotonic(
// SM90:         bar.sync
// SM90:         atom.add.release.gpu.u32
// SM90:         ld.{{relaxed|acquire}}.gpu.b32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_monotonic:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// AMD:          s_sleep
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX942-NOT:   buffer_
// GFX942:       s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      global_
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256)
    barrier_central(unsigned* data, fm::grid_barrier<fm::central_generation> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// The last arriver acquires what the others released before it publishes the new generation.
// SM90-LABEL:   .entry barrier_central(
// SM90:         bar.sync
// SM90:         atom.add.acq_rel.gpu.u32
// SM90:         atom.add.release.gpu.u32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_central:
// AMD:          s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NOT:   {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// GFX942:       buffer_inv sc1{{$}}
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942:       global_atomic_add
// GFX942:       buffer_inv sc1{{$}}
// AMD:          s_barrier
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_cooperative(unsigned* data, fm::grid_barrier<fm::cooperative> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// On AMD the leader's release, which waits, stands in front of the vendor's barrier, and an acquire behind it.
// SM90-LABEL:   .entry barrier_cooperative(
// SM90:         {{bar(rier)?}}.sync
// IR-LABEL:     @barrier_cooperative(
// IR:           call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      call void @llvm.amdgcn.s.barrier()
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR:           call void @llvm.amdgcn.s.barrier()
// IR:           {{call void @llvm.amdgcn.ds.gws.barrier|load atomic}}
// IR:           fence syncscope("agent") acquire
// IR:           call void @llvm.amdgcn.s.barrier()
// AMD-LABEL:    {{^}}barrier_cooperative:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          s_barrier
// GFX942:       buffer_inv sc1{{$}}
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm
