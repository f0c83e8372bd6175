// Read-modify-write operations: the native instruction where there is one; a release is write-back and wait in front of
// the relaxed operation, an acquire wait and invalidate behind it.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL add_relaxed_device(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_relaxed_device(
// SM90-NOT:     fence
// SM90:         atom.add.relaxed.gpu.u32
// AMD-LABEL:    {{^}}add_relaxed_device:
// AMD-NOT:      buffer_
// AMD:          global_atomic_add
// AMD-NOT:      {{buffer_|global_atomic}}
// AMD:          s_endpgm
// IR-LABEL:     @add_relaxed_device(
// IR:           atomicrmw add {{.*}} syncscope("agent-one-as") monotonic

extern "C" FERMATA_KERNEL add_relaxed_block(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::block_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_relaxed_block(
// SM90:         atom.add.relaxed.cta.u32
// AMD-LABEL:    {{^}}add_relaxed_block:
// AMD-NOT:      buffer_
// AMD:          global_atomic_add
// AMD-NOT:      buffer_
// AMD:          s_endpgm
// IR-LABEL:     @add_relaxed_block(
// IR:           atomicrmw add {{.*}} syncscope("workgroup-one-as") monotonic

extern "C" FERMATA_KERNEL add_relaxed_system(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_relaxed_system(
// SM90:         atom.add.relaxed.sys.u32
// AMD-LABEL:    {{^}}add_relaxed_system:
// GFX942:       global_atomic_add {{.*}} sc0 sc1
// IR-LABEL:     @add_relaxed_system(
// IR:           atomicrmw add {{.*}} syncscope("one-as") monotonic

extern "C" FERMATA_KERNEL add_acquire_device(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_acquire);
}
// SM90-LABEL:   .entry add_acquire_device(
// SM90:         atom.add.acquire.gpu.u32
// AMD-LABEL:    {{^}}add_acquire_device:
// GFX942-NOT:   buffer_wbl2
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(load|store)}}
// GFX90A:       buffer_wbinvl1_vol
// GFX942:       buffer_inv sc1{{$}}
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// IR-LABEL:     @add_acquire_device(
// IR:           atomicrmw add {{.*}} syncscope("agent-one-as") monotonic
// IR-NEXT:      fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL add_release_device(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry add_release_device(
// SM90:         atom.add.release.gpu.u32
// AMD-LABEL:    {{^}}add_release_device:
// AMD-NOT:      {{global_|flat_}}
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// AMD-NOT:      {{_inv|buffer_}}
// AMD:          s_endpgm
// IR-LABEL:     @add_release_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      atomicrmw add {{.*}} syncscope("agent-one-as") monotonic
// IR-NOT:       fence
// IR:           ret void

extern "C" FERMATA_KERNEL add_release_device_unused(unsigned* p, unsigned v) {
  (void)fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry add_release_device_unused(
// SM90:         {{atom|red}}.{{add.release.gpu|release.gpu.add}}.u32
// AMD-LABEL:    {{^}}add_release_device_unused:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add

extern "C" FERMATA_KERNEL add_release_system(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry add_release_system(
// SM90:         atom.add.release.sys.u32
// AMD-LABEL:    {{^}}add_release_system:
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// GFX942-SAME:  sc0 sc1
// IR-LABEL:     @add_release_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      atomicrmw add {{.*}} syncscope("one-as") monotonic

extern "C" FERMATA_KERNEL add_release_block(unsigned* data, unsigned* p, unsigned v, unsigned* out) {
  *data = 7;
  *out = fm::block_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry add_release_block(
// SM90:         atom.add.release.cta.u32
// AMD-LABEL:    {{^}}add_release_block:
// AMD:          global_store_
// AMD-NOT:      {{(global|flat|buffer)_}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add

extern "C" FERMATA_KERNEL add_acq_rel_device(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_acq_rel);
}
// SM90-LABEL:   .entry add_acq_rel_device(
// SM90:         atom.add.acq_rel.gpu.u32
// AMD-LABEL:    {{^}}add_acq_rel_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(load|store)}}
// GFX90A:       buffer_wbinvl1_vol
// GFX942:       buffer_inv sc1{{$}}
// GFX1100:      buffer_gl1_inv
// IR-LABEL:     @add_acq_rel_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      atomicrmw add {{.*}} syncscope("agent-one-as") monotonic
// IR-NEXT:      fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL add_acq_rel_system(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_acq_rel);
}
// SM90-LABEL:   .entry add_acq_rel_system(
// SM90:         atom.add.acq_rel.sys.u32
// AMD-LABEL:    {{^}}add_acq_rel_system:
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(load|store)}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942:       buffer_inv sc0 sc1{{$}}
// GFX1100:      buffer_gl1_inv

extern "C" FERMATA_KERNEL add_seq_cst_device(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry add_seq_cst_device(
// SM90:         fence.sc.gpu
// SM90:         atom.add.acquire.gpu.u32
// AMD-LABEL:    {{^}}add_seq_cst_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(load|store)}}
// GFX90A:       buffer_wbinvl1_vol
// GFX942:       buffer_inv sc1{{$}}
// GFX1100:      buffer_gl1_inv

extern "C" FERMATA_KERNEL add_seq_cst_system(unsigned* p, unsigned v, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).fetch_add(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry add_seq_cst_system(
// SM90:         fence.sc.sys
// SM90:         atom.add.acquire.sys.u32
// AMD-LABEL:    {{^}}add_seq_cst_system:
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add
// GFX942:       buffer_inv sc0 sc1{{$}}

extern "C" FERMATA_KERNEL exchange_acq_rel_device(unsigned long long* p, unsigned long long v,
                                                  unsigned long long* out) {
  *out = fm::device_atomic_ref<unsigned long long>(*p).exchange(v, fm::memory_order_acq_rel);
}
// SM90-LABEL:   .entry exchange_acq_rel_device(
// SM90:         atom.exch.acq_rel.gpu.b64
// AMD-LABEL:    {{^}}exchange_acq_rel_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// GFX9:         global_atomic_swap_x2
// GFX1100:      global_atomic_swap_b64
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}

extern "C" FERMATA_KERNEL and_or_xor(unsigned* p, unsigned v, unsigned* out) {
  fm::device_atomic_ref<unsigned> const ref(*p);
  out[0] = ref.fetch_and(v, fm::memory_order_relaxed);
  out[1] = ref.fetch_or(v, fm::memory_order_relaxed);
  out[2] = ref.fetch_xor(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry and_or_xor(
// SM90:         atom.and.relaxed.gpu.b32
// SM90:         atom.or.relaxed.gpu.b32
// SM90:         atom.xor.relaxed.gpu.b32
// AMD-LABEL:    {{^}}and_or_xor:
// AMD:          global_atomic_and
// AMD:          global_atomic_or
// AMD:          global_atomic_xor
// AMD-NOT:      cmpswap
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL min_max(int* p, unsigned* q, int v, int* out) {
  out[0] = fm::device_atomic_ref<int>(*p).fetch_min(v, fm::memory_order_relaxed);
  out[1] = fm::device_atomic_ref<int>(*p).fetch_max(v, fm::memory_order_relaxed);
  out[2] = fm::device_atomic_ref<unsigned>(*q).fetch_min(v, fm::memory_order_relaxed);
  out[3] = fm::device_atomic_ref<unsigned>(*q).fetch_max(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry min_max(
// SM90:         atom.min.relaxed.gpu.s32
// SM90:         atom.max.relaxed.gpu.s32
// SM90:         atom.min.relaxed.gpu.u32
// SM90:         atom.max.relaxed.gpu.u32
// AMD-LABEL:    {{^}}min_max:
// GFX9:         global_atomic_smin
// GFX9:         global_atomic_smax
// GFX9:         global_atomic_umin
// GFX9:         global_atomic_umax
// GFX1100:      global_atomic_min_i32
// GFX1100:      global_atomic_max_i32
// GFX1100:      global_atomic_min_u32
// GFX1100:      global_atomic_max_u32

extern "C" FERMATA_KERNEL inc_dec_wrap(unsigned* p, unsigned limit, unsigned* out) {
  out[0] = fm::device_atomic_ref<unsigned>(*p).fetch_inc_wrap(limit, fm::memory_order_relaxed);
  out[1] = fm::device_atomic_ref<unsigned>(*p).fetch_dec_wrap(limit, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry inc_dec_wrap(
// SM90:         atom.inc.relaxed.gpu.u32
// SM90:         atom.dec.relaxed.gpu.u32
// AMD-LABEL:    {{^}}inc_dec_wrap:
// AMD:          global_atomic_inc
// AMD:          global_atomic_dec
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
// IR-LABEL:     @inc_dec_wrap(
// IR:           atomicrmw uinc_wrap {{.*}} syncscope("agent") monotonic
// IR:           atomicrmw udec_wrap {{.*}} syncscope("agent") monotonic

extern "C" FERMATA_KERNEL inc_dec_wrap_system(unsigned* p, unsigned limit, unsigned* out) {
  fm::system_atomic_ref<unsigned> const ref(*p);
  *out = ref.fetch_inc_wrap(limit, fm::memory_order_relaxed) + ref.fetch_dec_wrap(limit, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry inc_dec_wrap_system(
// SM90:         atom.inc.relaxed.sys.u32
// SM90:         atom.dec.relaxed.sys.u32
// GFX942-LABEL: {{^}}inc_dec_wrap_system:
// GFX942:       global_atomic_inc {{.*}} sc1{{$}}
// GFX942:       global_atomic_dec {{.*}} sc1{{$}}
// IR-LABEL:     @inc_dec_wrap_system(
// IR:           atomicrmw uinc_wrap ptr {{[^s]*}} monotonic
// IR:           atomicrmw udec_wrap ptr {{[^s]*}} monotonic

extern "C" FERMATA_KERNEL inc_wrap_release(unsigned* p, unsigned limit, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).fetch_inc_wrap(limit, fm::memory_order_release);
}
// AMD-LABEL:    {{^}}inc_wrap_release:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_inc

extern "C" FERMATA_KERNEL add_float(float* p, float v, float* out) {
  *out = fm::device_atomic_ref<float>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_float(
// SM90:         atom.add.relaxed.gpu.f32
// AMD-LABEL:    {{^}}add_float:
// GFX90A:       global_atomic_cmpswap
// GFX942:       global_atomic_add_f32
// GFX1100:      global_atomic_{{add_f32|cmpswap_b32}}

extern "C" FERMATA_KERNEL add_double(double* p, double v, double* out) {
  *out = fm::device_atomic_ref<double>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_double(
// SM90:         atom.add.relaxed.gpu.f64
// AMD-LABEL:    {{^}}add_double:
// GFX90A:       global_atomic_{{add_f64|cmpswap_x2}}
// GFX942:       global_atomic_add_f64
// GFX1100:      global_atomic_cmpswap_b64

// With the caller's promise about the memory, AMD's instructions that the compiler may not choose; without a result,
// the form that returns none. A release is in front of them as of any other.
extern "C" FERMATA_KERNEL add_float_coarse_grained(float* p, float v, float* out) {
  *out = fm::device_atomic_ref<float>(*p).fetch_add(v, fm::memory_order_relaxed, fm::coarse_grained);
}
// SM90-LABEL:   .entry add_float_coarse_grained(
// SM90:         atom.add.relaxed.gpu.f32
// AMD-LABEL:    {{^}}add_float_coarse_grained:
// AMD-NOT:      cmpswap
// AMD:          global_atomic_add_f32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, s{{.*}} {{glc|sc0}}
// AMD-NOT:      cmpswap
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL sub_float_coarse_grained(float* p, float v, float* data) {
  *data = v;
  fm::device_atomic_ref<float>(*p).fetch_sub(v, fm::memory_order_acq_rel, fm::coarse_grained);
}
// SM90-LABEL:   .entry sub_float_coarse_grained(
// SM90:         {{(atom|red)}}.add.acq_rel.gpu.f32
// AMD-LABEL:    {{^}}sub_float_coarse_grained:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          global_atomic_add_f32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}]{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942:       buffer_inv sc1
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL add_double_coarse_grained(double* p, double v, double* out) {
  *out = fm::device_atomic_ref<double>(*p).fetch_add(v, fm::memory_order_relaxed, fm::coarse_grained);
}
// SM90-LABEL:   .entry add_double_coarse_grained(
// SM90:         atom.add.relaxed.gpu.f64
// AMD-LABEL:    {{^}}add_double_coarse_grained:
// GFX9-NOT:     cmpswap
// GFX9:         global_atomic_add_f64 v{{.*}} {{glc|sc0}}
// GFX1100:      global_atomic_cmpswap_b64
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL add_8_release(unsigned char* p, unsigned char v, unsigned char* out) {
  *out = fm::device_atomic_ref<unsigned char>(*p).fetch_add(v, fm::memory_order_release);
}
// Bytes: a loop around the word, written back and waited for once, in front of it.
// SM90-LABEL:   .entry add_8_release(
// SM90:         atom.cas.{{release|relaxed}}.gpu.b32
// AMD-LABEL:    {{^}}add_8_release:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// AMD:          global_load_
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap
// AMD-NOT:      {{buffer_|flat_}}
// AMD:          s_endpgm
// IR-LABEL:     @add_8_release(
// IR:           cmpxchg ptr {{.*}} i32 {{.*}} syncscope("agent-one-as") monotonic monotonic

extern "C" FERMATA_KERNEL or_16(unsigned short* p, unsigned short v, unsigned short* out) {
  *out = fm::device_atomic_ref<unsigned short>(*p).fetch_or(v, fm::memory_order_relaxed);
}
// AMD-LABEL:    {{^}}or_16:
// AMD:          global_atomic_or
// AMD-NOT:      cmpswap
// AMD:          s_endpgm

// No target exchanges two bytes: a loop around the word.
extern "C" FERMATA_KERNEL exchange_16(unsigned short* p, unsigned short v, unsigned short* out) {
  *out = fm::device_atomic_ref<unsigned short>(*p).exchange(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry exchange_16(
// SM90:         atom.cas.relaxed.gpu.b32
// SM90:         ret
// AMD-LABEL:    {{^}}exchange_16:
// AMD:          global_atomic_cmpswap
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL add_64(unsigned long long* p, unsigned long long v, unsigned long long* out) {
  *out = fm::device_atomic_ref<unsigned long long>(*p).fetch_add(v, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry add_64(
// SM90:         atom.add.relaxed.gpu.u64
// AMD-LABEL:    {{^}}add_64:
// GFX9:         global_atomic_add_x2
// GFX1100:      global_atomic_add_u64

extern "C" FERMATA_KERNEL min_float_release(float* p, float v, float* out) {
  *out = fm::device_atomic_ref<float>(*p).fetch_min(v, fm::memory_order_release);
}
// A loop that compares bits, with the fence outside.
// SM90-LABEL:   .entry min_float_release(
// SM90:         fence.acq_rel.gpu
// SM90:         atom.cas.relaxed.gpu.b32
// AMD-LABEL:    {{^}}min_float_release:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// AMD:          global_atomic_cmpswap

extern "C" FERMATA_KERNEL max_float_acquire(float* p, float v, float* out) {
  out[0] = fm::device_atomic_ref<float>(*p).fetch_max(v, fm::memory_order_acquire);
  out[1] = out[2];
}
// Behind the loop, where it acquires.
// SM90-LABEL:   .entry max_float_acquire(
// SM90:         atom.cas.relaxed.gpu.b32
// SM90:         fence.acq_rel.gpu
// SM90:         ld.global
// AMD-LABEL:    {{^}}max_float_acquire:
// AMD:          global_atomic_cmpswap
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load_
// AMD:          s_endpgm
