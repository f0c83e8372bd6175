// One atomic for the lanes with the same address: a single instruction in the text, done by the leaders; popcounts
// where the values are equal.
#include <fermata/aggregate.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL aggregate_increment(unsigned* counter, unsigned* out) {
  out[threadIdx.x] = fm::aggregated_increment(fm::device_atomic_ref<unsigned>(*counter), fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry aggregate_increment(
// SM90:         activemask.b32
// SM90:         match.all.sync.b64
// SM90:         match.any.sync.b64
// SM90-NOT:     {{atom|red|shfl|fence}}.
// SM90:         @%p{{[0-9]+}} bra
// SM90:         popc.b32
// SM90:         atom.add.relaxed.gpu.u32
// SM90-NOT:     {{atom|red|match}}.
// SM90:         shfl.sync.idx.b32
// SM90-NOT:     {{atom|red|shfl}}.
// SM90:         ret;
// AMD-LABEL:    {{^}}aggregate_increment:
// AMD-NOT:      {{ds_|atomic|buffer_}}
// AMD:          v_readfirstlane_b32
// AMD-NOT:      {{ds_|atomic|buffer_}}
// AMD:          global_atomic_add
// AMD-NOT:      {{atomic|buffer_}}
// AMD:          ds_bpermute_b32
// AMD-NOT:      {{ds_|atomic|buffer_}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL aggregate_values(unsigned* counters, unsigned const* keys, unsigned const* values,
                                           unsigned* out) {
  fm::device_atomic_ref<unsigned> const ref(counters[keys[threadIdx.x]]);
  out[threadIdx.x] = fm::aggregated_fetch_add(ref, values[threadIdx.x], fm::memory_order_relaxed);
}
// Equal values skip the scan.
// SM90-LABEL:   .entry aggregate_values(
// SM90:         match.all.sync.b64
// SM90:         match.any.sync.b64
// SM90:         match.all.sync.b32
// SM90-NOT:     {{atom|red}}.
// SM90-COUNT-5: shfl.sync.up.b32
// SM90-NOT:     {{atom|red}}.
// SM90:         atom.add.relaxed.gpu.u32
// SM90-NOT:     {{atom|red}}.
// SM90:         shfl.sync.idx.b32
// SM90-NOT:     {{atom|red|shfl}}.
// SM90:         ret;
// AMD-LABEL:    {{^}}aggregate_values:
// AMD:          v_readfirstlane_b32
// AMD-NOT:      atomic
// AMD:          global_atomic_add
// AMD-NOT:      atomic
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL aggregate_without_old(unsigned* counters, unsigned const* keys, unsigned const* values) {
  fm::device_atomic_ref<unsigned> const ref(counters[keys[threadIdx.x]]);
  fm::aggregated_add(ref, values[threadIdx.x], fm::memory_order_relaxed);
}
// The instruction for sums, and no way back; on AMD an atomic without the old value, for which nobody waits.
// SM90-LABEL:   .entry aggregate_without_old(
// SM90-NOT:     shfl
// SM90:         redux.sync.add
// SM90-NOT:     shfl
// SM90:         {{atom|red}}.add.relaxed.gpu.u32
// SM90-NOT:     {{atom|red|shfl}}.
// SM90:         ret;
// AMD-LABEL:    {{^}}aggregate_without_old:
// AMD-NOT:      atomic
// GFX942:       global_atomic_add v{{.*}}, off{{$}}
// GFX90A:       global_atomic_add v{{.*}}, off{{$}}
// GFX1100:      global_atomic_add_u32 v{{.*}}, off{{$}}
// AMD-NOT:      {{atomic|vmcnt}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL aggregate_acq_rel(unsigned* counter, unsigned* data) {
  data[threadIdx.x] = 1;
  fm::aggregated_add(fm::device_atomic_ref<unsigned>(*counter), 1, fm::memory_order_acq_rel);
  data[threadIdx.x + 64] = data[threadIdx.x + 128];
}
// The wave meets before its leader's release, and behind its acquire.
// SM90-LABEL:   .entry aggregate_acq_rel(
// SM90:         st.global.u32
// SM90:         bar.warp.sync
// SM90:         {{atom|red}}.add.acq_rel.gpu.u32
// SM90:         bar.warp.sync
// SM90:         ld.global.u32
// AMD-LABEL:    {{^}}aggregate_acq_rel:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// GFX9:         s_waitcnt vmcnt(0)
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load_
// AMD:          s_endpgm
// IR-LABEL:     @aggregate_acq_rel(
// IR:           fence syncscope("wavefront") release
// IR-NEXT:      call void @llvm.amdgcn.wave.barrier()
// IR-NEXT:      fence syncscope("wavefront") acquire
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR:           atomicrmw add {{.*}} syncscope("agent{{(-one-as)?}}") monotonic
// IR:           fence syncscope("agent") acquire
// IR:           fence syncscope("wavefront") release
// IR-NEXT:      call void @llvm.amdgcn.wave.barrier()
// IR-NEXT:      fence syncscope("wavefront") acquire
