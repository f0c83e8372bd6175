// The wrapping counters are one instruction in every order and scope.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

template <fm::thread_scope S>
FERMATA_DEVICE void in_every_order(unsigned* p, unsigned limit) {
  fm::atomic_ref<unsigned, S> const ref(*p);
  p[1] = ref.fetch_inc_wrap(limit, fm::memory_order_relaxed);
  p[2] = ref.fetch_inc_wrap(limit, fm::memory_order_acquire);
  p[3] = ref.fetch_inc_wrap(limit, fm::memory_order_release);
  p[4] = ref.fetch_inc_wrap(limit, fm::memory_order_acq_rel);
  p[5] = ref.fetch_inc_wrap(limit, fm::memory_order_seq_cst);
  p[6] = ref.fetch_dec_wrap(limit, fm::memory_order_relaxed);
  p[7] = ref.fetch_dec_wrap(limit, fm::memory_order_acquire);
  p[8] = ref.fetch_dec_wrap(limit, fm::memory_order_release);
  p[9] = ref.fetch_dec_wrap(limit, fm::memory_order_acq_rel);
  p[10] = ref.fetch_dec_wrap(limit, fm::memory_order_seq_cst);
}

extern "C" FERMATA_KERNEL wrap_thread(unsigned* p, unsigned limit) {
  in_every_order<fm::thread_scope::thread>(p, limit);
}
// SM90-LABEL:   .entry wrap_thread(
// SM90:         atom.inc.relaxed.cta.u32
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.inc.release.cta.u32
// SM90:         atom.inc.acq_rel.cta.u32
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.dec.relaxed.cta.u32
// SM90:         atom.dec.acquire.cta.u32
// SM90:         atom.dec.release.cta.u32
// SM90:         atom.dec.acq_rel.cta.u32
// SM90:         atom.dec.acquire.cta.u32
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
// AMD-LABEL:    {{^}}wrap_thread:
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_inc
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @wrap_thread(
// IR-COUNT-5:   atomicrmw uinc_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("singlethread") monotonic
// IR-COUNT-5:   atomicrmw udec_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("singlethread") monotonic

extern "C" FERMATA_KERNEL wrap_wave(unsigned* p, unsigned limit) {
  in_every_order<fm::thread_scope::wave>(p, limit);
}
// SM90-LABEL:   .entry wrap_wave(
// SM90:         atom.inc.relaxed.cta.u32
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.inc.release.cta.u32
// SM90:         atom.inc.acq_rel.cta.u32
// SM90:         fence.sc.cta
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.dec.relaxed.cta.u32
// SM90:         atom.dec.acquire.cta.u32
// SM90:         atom.dec.release.cta.u32
// SM90:         atom.dec.acq_rel.cta.u32
// SM90:         fence.sc.cta
// SM90:         atom.dec.acquire.cta.u32
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
// AMD-LABEL:    {{^}}wrap_wave:
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_inc
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @wrap_wave(
// IR-COUNT-5:   atomicrmw uinc_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("wavefront") monotonic
// IR-COUNT-5:   atomicrmw udec_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("wavefront") monotonic

extern "C" FERMATA_KERNEL wrap_block(unsigned* p, unsigned limit) {
  in_every_order<fm::thread_scope::block>(p, limit);
}
// SM90-LABEL:   .entry wrap_block(
// SM90:         atom.inc.relaxed.cta.u32
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.inc.release.cta.u32
// SM90:         atom.inc.acq_rel.cta.u32
// SM90:         fence.sc.cta
// SM90:         atom.inc.acquire.cta.u32
// SM90:         atom.dec.relaxed.cta.u32
// SM90:         atom.dec.acquire.cta.u32
// SM90:         atom.dec.release.cta.u32
// SM90:         atom.dec.acq_rel.cta.u32
// SM90:         fence.sc.cta
// SM90:         atom.dec.acquire.cta.u32
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
// AMD-LABEL:    {{^}}wrap_block:
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_inc
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @wrap_block(
// IR-COUNT-5:   atomicrmw uinc_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("workgroup") monotonic
// IR-COUNT-5:   atomicrmw udec_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("workgroup") monotonic

extern "C" FERMATA_KERNEL wrap_device(unsigned* p, unsigned limit) {
  in_every_order<fm::thread_scope::device>(p, limit);
}
// SM90-LABEL:   .entry wrap_device(
// SM90:         atom.inc.relaxed.gpu.u32
// SM90:         atom.inc.acquire.gpu.u32
// SM90:         atom.inc.release.gpu.u32
// SM90:         atom.inc.acq_rel.gpu.u32
// SM90:         fence.sc.gpu
// SM90:         atom.inc.acquire.gpu.u32
// SM90:         atom.dec.relaxed.gpu.u32
// SM90:         atom.dec.acquire.gpu.u32
// SM90:         atom.dec.release.gpu.u32
// SM90:         atom.dec.acq_rel.gpu.u32
// SM90:         fence.sc.gpu
// SM90:         atom.dec.acquire.gpu.u32
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
// AMD-LABEL:    {{^}}wrap_device:
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_inc
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @wrap_device(
// IR-COUNT-5:   atomicrmw uinc_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("agent") monotonic
// IR-COUNT-5:   atomicrmw udec_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} syncscope("agent") monotonic

extern "C" FERMATA_KERNEL wrap_system(unsigned* p, unsigned limit) {
  in_every_order<fm::thread_scope::system>(p, limit);
}
// SM90-LABEL:   .entry wrap_system(
// SM90:         atom.inc.relaxed.sys.u32
// SM90:         atom.inc.acquire.sys.u32
// SM90:         atom.inc.release.sys.u32
// SM90:         atom.inc.acq_rel.sys.u32
// SM90:         fence.sc.sys
// SM90:         atom.inc.acquire.sys.u32
// SM90:         atom.dec.relaxed.sys.u32
// SM90:         atom.dec.acquire.sys.u32
// SM90:         atom.dec.release.sys.u32
// SM90:         atom.dec.acq_rel.sys.u32
// SM90:         fence.sc.sys
// SM90:         atom.dec.acquire.sys.u32
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
// AMD-LABEL:    {{^}}wrap_system:
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_inc
// AMD-NOT:      cmpswap
// AMD-COUNT-5:  global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @wrap_system(
// IR-COUNT-5:   atomicrmw uinc_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} monotonic
// IR-COUNT-5:   atomicrmw udec_wrap ptr addrspace(1) {{%[0-9]+}}, i32 {{%[0-9]+}} monotonic
