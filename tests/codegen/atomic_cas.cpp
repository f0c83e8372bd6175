// Compare-exchange: one instruction; what either order asks for is around it.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL cas_relaxed_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_relaxed_device(
// SM90-NOT:     fence
// SM90:         atom.cas.relaxed.gpu.b32
// AMD-LABEL:    {{^}}cas_relaxed_device:
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NOT:      buffer_
// AMD:          s_endpgm
// IR-LABEL:     @cas_relaxed_device(
// IR:           cmpxchg ptr {{.*}} syncscope("agent-one-as") monotonic monotonic

extern "C" FERMATA_KERNEL cas_release_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_release,
                                                                     fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_release_device(
// SM90:         atom.cas.release.gpu.b32
// AMD-LABEL:    {{^}}cas_release_device:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_cmpswap
// AMD-NOT:      buffer_
// AMD:          s_endpgm
// IR-LABEL:     @cas_release_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      cmpxchg ptr {{.*}} syncscope("agent-one-as") monotonic monotonic
// IR-NOT:       fence
// IR:           ret void

extern "C" FERMATA_KERNEL cas_release_system(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::system_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_release,
                                                                     fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_release_system(
// SM90:         atom.cas.release.sys.b32
// AMD-LABEL:    {{^}}cas_release_system:
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_cmpswap
// GFX942-SAME:  sc0 sc1
// IR-LABEL:     @cas_release_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      cmpxchg ptr {{.*}} syncscope("one-as") monotonic monotonic

// The failure order alone acquires.
extern "C" FERMATA_KERNEL cas_relaxed_acquire_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_relaxed,
                                                                     fm::memory_order_acquire);
  *out = expected;
}
// SM90-LABEL:   .entry cas_relaxed_acquire_device(
// SM90:         atom.cas.acquire.gpu.b32
// AMD-LABEL:    {{^}}cas_relaxed_acquire_device:
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX1100-NEXT: buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv

// The success order alone acquires, as who takes a lock does.
extern "C" FERMATA_KERNEL cas_acquire_relaxed_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_acquire,
                                                                     fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_acquire_relaxed_device(
// SM90:         atom.cas.acquire.gpu.b32
// AMD-LABEL:    {{^}}cas_acquire_relaxed_device:
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX1100-NEXT: buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv

extern "C" FERMATA_KERNEL cas_acq_rel_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_weak(expected, desired, fm::memory_order_acq_rel);
  *out = expected;
}
// SM90-LABEL:   .entry cas_acq_rel_device(
// SM90:         atom.cas.acq_rel.gpu.b32
// AMD-LABEL:    {{^}}cas_acq_rel_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_cmpswap
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX1100-NEXT: buffer_gl1_inv

// A failed seq_cst exchange is a seq_cst load, so it waits for what was before it, too.
extern "C" FERMATA_KERNEL cas_relaxed_seq_cst_device(unsigned* p, unsigned expected, unsigned desired, unsigned* out) {
  *out = 7;
  (void)fm::device_atomic_ref<unsigned>(*p).compare_exchange_strong(expected, desired, fm::memory_order_relaxed,
                                                                     fm::memory_order_seq_cst);
  *out = expected;
}
// SM90-LABEL:   .entry cas_relaxed_seq_cst_device(
// SM90:         fence.sc.gpu
// SM90:         atom.cas.acquire.gpu.b32
// AMD-LABEL:    {{^}}cas_relaxed_seq_cst_device:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}

using wide = unsigned long long;

extern "C" FERMATA_KERNEL cas_relaxed_64_block(wide* p, wide expected, wide desired, wide* out) {
  (void)fm::block_atomic_ref<wide>(*p).compare_exchange_strong(expected, desired, fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_relaxed_64_block(
// SM90:         atom.cas.relaxed.cta.b64
// AMD-LABEL:    {{^}}cas_relaxed_64_block:
// GFX9:         global_atomic_cmpswap_x2
// GFX1100:      global_atomic_cmpswap_b64

// Two bytes: a loop around the word on every target; the release is paid for once on AMD.
extern "C" FERMATA_KERNEL cas_release_16_device(unsigned short* p, unsigned short expected, unsigned short desired,
                                                unsigned short* out) {
  (void)fm::device_atomic_ref<unsigned short>(*p).compare_exchange_strong(expected, desired, fm::memory_order_release,
                                                                           fm::memory_order_relaxed);
  *out = expected;
}
// SM90-LABEL:   .entry cas_release_16_device(
// SM90:         atom.cas.{{release|relaxed}}.gpu.b
// AMD-LABEL:    {{^}}cas_release_16_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NOT:      {{buffer_|flat_}}
// AMD:          s_endpgm
