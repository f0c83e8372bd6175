// Sums of 16-bit floats: one instruction on sm_90, which keeps subnormals; a loop around the word on AMD. And extremes.
#include <fermata/half.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL add_half(fm::half* p, fm::half v) {
  p[2] = fm::device_atomic_ref<fm::half>(p[0]).fetch_add(v, fm::memory_order_acq_rel);
  p[3] = fm::block_atomic_ref<fm::half>(p[1]).fetch_sub(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry add_half(
// SM90-NOT:     {{fence|cas}}
// SM90:         atom.acq_rel.gpu.add.noftz.f16
// SM90-NOT:     {{fence|cas}}
// SM90:         fence.sc.cta
// SM90:         atom.acquire.cta.add.noftz.f16
// SM90-NOT:     {{fence|cas}}
// SM90:         ret
// AMD-LABEL:    {{^}}add_half:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          v_add_f16
// AMD:          global_atomic_cmpswap
// GFX942:       buffer_inv sc1{{$}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL add_bfloat16(fm::bfloat16* p, fm::bfloat16 v) {
  p[1] = fm::system_atomic_ref<fm::bfloat16>(p[0]).fetch_add(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry add_bfloat16(
// SM90-NOT:     {{fence|cas}}
// SM90:         atom.release.sys.add.noftz.bf16
// SM90-NOT:     {{fence|cas}}
// SM90:         ret
// AMD-LABEL:    {{^}}add_bfloat16:
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          v_add_f32
// AMD:          global_atomic_cmpswap
// AMD:          s_endpgm

// What is a number is asked of the bits: more than those of infinity, without the sign, are none.
extern "C" FERMATA_KERNEL smallest(fm::half* p, fm::half v, fm::bfloat16* q, fm::bfloat16 w) {
  p[1] = fm::device_atomic_ref<fm::half>(p[0]).fetch_min(v, fm::memory_order_relaxed);
  q[1] = fm::device_atomic_ref<fm::bfloat16>(q[0]).fetch_max(w, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry smallest(
// SM90-COUNT-2: setp.gt.u16 {{%p[0-9]+}}, {{%rs[0-9]+}}, -2048;
// SM90-COUNT-2: setp.gt.u16 {{%p[0-9]+}}, {{%rs[0-9]+}}, -256;
// SM90:         ret
// GFX942-LABEL: {{^}}smallest:
// GFX942:       0xf800{{$}}
// GFX942:       0xff00{{$}}
// GFX942:       s_endpgm
