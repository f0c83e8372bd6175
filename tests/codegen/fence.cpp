// Fences: a release is write-back and wait, an acquire wait and invalidate, acq_rel and seq_cst are write-back, wait
// and invalidate in that order. The kernels without an access in front of the fence are the ones in which the
// compilers drop the wait.
#include <fermata/fence.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

// --- block scope ---

extern "C" FERMATA_KERNEL fence_release_block_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_block);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_release_block_data(
// SM90:         fence.acq_rel.cta
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_release_block_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      buffer_
// AMD:          global_store_
// IR-LABEL:     @fence_release_block_data(
// IR:           fence syncscope("workgroup") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)

extern "C" FERMATA_KERNEL fence_acquire_block_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_block);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acquire_block_data(
// SM90:         fence.acq_rel.cta
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acquire_block_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// IR-LABEL:     @fence_acquire_block_data(
// IR:           call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("workgroup") acquire

extern "C" FERMATA_KERNEL fence_acq_rel_block_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_block);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acq_rel_block_data(
// SM90:         fence.acq_rel.cta
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acq_rel_block_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// IR-LABEL:     @fence_acq_rel_block_data(
// IR:           fence syncscope("workgroup") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("workgroup") acquire

extern "C" FERMATA_KERNEL fence_seq_cst_block_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_block);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_seq_cst_block_data(
// SM90:         fence.sc.cta
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_seq_cst_block_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// IR-LABEL:     @fence_seq_cst_block_data(
// IR:           fence syncscope("workgroup") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("workgroup") acquire

// --- device scope ---

extern "C" FERMATA_KERNEL fence_release_device(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_release_device(
// SM90:         fence.acq_rel.gpu
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_release_device:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_release_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)

extern "C" FERMATA_KERNEL fence_release_device_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_release_device_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_acquire_device(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acquire_device(
// SM90:         fence.acq_rel.gpu
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acquire_device:
// AMD-NOT:      global_
// GFX9-NOT:     buffer_wbl2
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_acquire_device(
// IR:           fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL fence_acquire_device_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_acquire_device_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_wbl2
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_acq_rel_device(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_device);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acq_rel_device(
// SM90:         fence.acq_rel.gpu
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acq_rel_device:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_acq_rel_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL fence_acq_rel_device_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_device);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_acq_rel_device_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_seq_cst_device(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_seq_cst_device(
// SM90:         fence.sc.gpu
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_seq_cst_device:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_seq_cst_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL fence_seq_cst_device_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_device);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_seq_cst_device_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

// --- system scope ---

extern "C" FERMATA_KERNEL fence_release_system(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_system);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_release_system(
// SM90:         fence.acq_rel.sys
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_release_system:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_release_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)

extern "C" FERMATA_KERNEL fence_release_system_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_system);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_release_system_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_acquire_system(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_system);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acquire_system(
// SM90:         fence.acq_rel.sys
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acquire_system:
// AMD-NOT:      global_
// GFX9-NOT:     buffer_wbl2
// GFX942:       buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_acquire_system(
// IR:           fence acquire

extern "C" FERMATA_KERNEL fence_acquire_system_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_system);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_acquire_system_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX9-NOT:     buffer_wbl2
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942:       buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_acq_rel_system(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_system);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acq_rel_system(
// SM90:         fence.acq_rel.sys
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_acq_rel_system:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_acq_rel_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence acquire

extern "C" FERMATA_KERNEL fence_acq_rel_system_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_system);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_acq_rel_system_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942-NEXT:  buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL fence_seq_cst_system(unsigned* flag) {
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_system);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_seq_cst_system(
// SM90:         fence.sc.sys
// SM90:         st.global
// AMD-LABEL:    {{^}}fence_seq_cst_system:
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm
// IR-LABEL:     @fence_seq_cst_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence acquire

extern "C" FERMATA_KERNEL fence_seq_cst_system_data(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_seq_cst, fm::thread_scope_system);
  *flag = 1;
}
// AMD-LABEL:    {{^}}fence_seq_cst_system_data:
// AMD:          global_store_
// AMD-NOT:      global_
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2{{$}}
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX942-NEXT:  buffer_inv sc0 sc1{{$}}
// GFX90A:       buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// AMD:          s_endpgm

// --- wave scope: nothing to wait for, nothing to write back ---

extern "C" FERMATA_KERNEL fence_acq_rel_wave(unsigned* data, unsigned* flag) {
  *data = 7;
  fm::atomic_thread_fence(fm::memory_order_acq_rel, fm::thread_scope_wave);
  *flag = 1;
}
// SM90-LABEL:   .entry fence_acq_rel_wave(
// SM90:         fence.acq_rel.cta
// AMD-LABEL:    {{^}}fence_acq_rel_wave:
// AMD:          global_store_
// AMD-NOT:      {{vmcnt|vscnt|buffer_}}
// AMD:          global_store_
// IR-LABEL:     @fence_acq_rel_wave(
// IR:           fence syncscope("wavefront") release
// IR:           fence syncscope("wavefront") acquire

// No instruction, but the compiler keeps the accesses in this order.
extern "C" FERMATA_KERNEL fence_thread(unsigned* p) {
  p[0] = 1;
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_thread);
  p[1] = 2;
  fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_thread);
  p[2] = 3;
}
// SM90-LABEL:   .entry fence_thread(
// SM90-NOT:     {{[[:space:]](fence|membar)\.}}
// SM90:         ret
// AMD-LABEL:    {{^}}fence_thread:
// AMD-NOT:      {{vmcnt|vscnt|buffer_}}
// AMD:          s_endpgm
// IR-LABEL:     @fence_thread(
// IR:           store i32 1
// IR-NEXT:      fence syncscope("singlethread") release
// IR:           store i32 2
// IR-NEXT:      fence syncscope("singlethread") acquire
// IR:           store i32 3
