// Reductions of a block, the last block, and histograms: where their memory is, and what orders it.
#include <fermata/histogram.hpp>
#include <fermata/kernel.hpp>
#include <fermata/reduce.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL_BOUNDS(256) last_block(unsigned* data, unsigned* arrived) {
  data[threadIdx.x] = 1;
  if (fm::last_block(*arrived)) data[threadIdx.x + 256] = data[threadIdx.x + 512];
}
// One increment that also starts again. Every wave drains before the barrier, the leader writes back, waits, counts and
// invalidates, and only then the block goes on.
// SM90-LABEL:   .entry last_block(
// SM90:         st.global.u32
// SM90:         bar.sync
// SM90:         atom.inc.acq_rel.gpu.u32
// SM90-NOT:     {{[[:space:]](atom|red|fence)\.}}
// SM90:         bar.sync
// SM90-NOT:     {{[[:space:]](atom|red|fence|bar)\.}}
// SM90:         ld.global
// SM90:         ret;
// AMD-LABEL:    {{^}}last_block:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_(store|load)|s_barrier}}
// AMD:          global_atomic_inc
// AMD:          s_waitcnt vmcnt(0)
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          s_barrier
// AMD-NOT:      {{atomic|s_barrier}}
// AMD:          global_load_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) reduce_sum(unsigned* data) {
  data[threadIdx.x] = fm::block_reduce(data[threadIdx.x], fm::plus{});
}
// SM90-LABEL:   .entry reduce_sum(
// SM90:         redux.sync.add
// SM90:         st.shared.u32
// SM90:         bar.sync
// SM90:         ld.shared.u32
// SM90:         bar.sync
// SM90-NOT:     {{[[:space:]](bar|shfl|atom|red)\.}}
// SM90:         ret;
// AMD-LABEL:    {{^}}reduce_sum:
// GFX9:         ds_write_b32
// GFX11:        ds_store_b32
// AMD:          s_barrier
// GFX9:         ds_read
// GFX11:        ds_load
// AMD:          s_barrier
// AMD-NOT:      {{s_barrier|atomic}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) histogram_shared(unsigned const* keys, unsigned* result) {
  FERMATA_SHARED(histogram, fm::privatized_histogram<64, 4>);
  histogram.clear();
  histogram.add(keys[threadIdx.x]);
  histogram.merge_into(result);
}
// An instruction for shared memory, not a generic one.
// SM90-LABEL:   .entry histogram_shared(
// SM90:         st.shared
// SM90:         bar.sync
// SM90:         {{atom|red}}.shared.{{(cta\.)?}}add.u32
// SM90:         bar.sync
// SM90:         {{atom|red}}.add.relaxed.gpu.u32
// SM90:         ret;
// AMD-LABEL:    {{^}}histogram_shared:
// GFX9:         ds_write
// GFX11:        ds_store
// AMD:          s_barrier
// AMD:          ds_add_u32
// AMD-NOT:      flat_
// AMD:          s_barrier
// AMD:          global_atomic_add
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) histogram_registers(unsigned const* keys, unsigned n, unsigned* result) {
  fm::register_histogram<6> histogram;
  for (unsigned i = 0; i < n; ++i) histogram.add(keys[i * 256 + threadIdx.x]);
  histogram.merge_into(result);
}
// No memory while it counts: the counters are registers. (This folder refuses private memory in every kernel.)
// SM90-LABEL:   .entry histogram_registers(
// SM90-NOT:     {{[[:space:]](st\.global|atom|red)}}
// SM90:         bar.sync
// SM90:         redux.sync.add
// SM90:         {{atom|red}}.shared
// SM90:         {{atom|red}}.add.relaxed.gpu.u32
// SM90:         ret;
// AMD-LABEL:    {{^}}histogram_registers:
// AMD-NOT:      {{global_store|ds_add|atomic}}
// AMD:          s_barrier
// AMD:          ds_add_u32
// AMD:          s_barrier
// AMD:          global_atomic_add
// AMD:          s_endpgm
