// Loads and stores: the order and the scope are in the instruction. A release is write-back, wait, relaxed store; the
// wait stands right behind the write-back, whatever the compiler believes is outstanding.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

// --- relaxed loads: the cache bits of the scope, nothing else ---

extern "C" FERMATA_KERNEL load_relaxed_wave(unsigned* p, unsigned* out) {
  *out = fm::atomic_ref<unsigned, fm::thread_scope_wave>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_wave(
// SM90:         ld.relaxed.cta.b32
// AMD-LABEL:    {{^}}load_relaxed_wave:
// GFX9:         global_load_dword {{v[0-9]+, v[0-9]+, s\[[0-9:]+\]$}}
// GFX1100:      global_load_b32 {{v[0-9]+, v[0-9]+, s\[[0-9:]+\]$}}
// IR-LABEL:     @load_relaxed_wave(
// IR:           load atomic i32, {{.*}} syncscope("wavefront-one-as") monotonic

extern "C" FERMATA_KERNEL load_relaxed_block(unsigned* p, unsigned* out) {
  *out = fm::block_atomic_ref<unsigned>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_block(
// SM90:         ld.relaxed.cta.b32
// AMD-LABEL:    {{^}}load_relaxed_block:
// GFX90A:       global_load_dword {{v[0-9]+, v[0-9]+, s\[[0-9:]+\]$}}
// GFX942:       global_load_dword {{.*\] sc0$}}
// GFX1100:      global_load_b32 {{.*\] glc$}}
// IR-LABEL:     @load_relaxed_block(
// IR:           load atomic i32, {{.*}} syncscope("workgroup-one-as") monotonic

extern "C" FERMATA_KERNEL load_relaxed_cluster(unsigned* p, unsigned* out) {
  *out = fm::atomic_ref<unsigned, fm::thread_scope_cluster>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_cluster(
// SM90:         ld.relaxed.{{cluster|gpu}}.b32
// AMD-LABEL:    {{^}}load_relaxed_cluster:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX942:       global_load_dword {{.*\] sc1$}}
// IR-LABEL:     @load_relaxed_cluster(
// IR:           load atomic i32, {{.*}} syncscope("agent-one-as") monotonic

extern "C" FERMATA_KERNEL load_relaxed_device(unsigned* p, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_device(
// SM90-NOT:     fence
// SM90:         ld.relaxed.gpu.b32
// SM90-NOT:     fence
// AMD-LABEL:    {{^}}load_relaxed_device:
// AMD-NOT:      {{buffer_|s_waitcnt vmcnt}}
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX942:       global_load_dword {{.*\] sc1$}}
// GFX1100:      global_load_b32 {{.*\] glc$}}
// AMD-NOT:      buffer_
// AMD:          s_endpgm
// IR-LABEL:     @load_relaxed_device(
// IR:           load atomic i32, {{.*}} syncscope("agent-one-as") monotonic

extern "C" FERMATA_KERNEL load_relaxed_system(unsigned* p, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_system(
// SM90:         ld.relaxed.sys.b32
// AMD-LABEL:    {{^}}load_relaxed_system:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX942:       global_load_dword {{.*\] sc0 sc1$}}
// IR-LABEL:     @load_relaxed_system(
// IR:           load atomic i32, {{.*}} syncscope("one-as") monotonic

// --- the other widths ---

extern "C" FERMATA_KERNEL load_relaxed_8(unsigned char* p, unsigned char* out) {
  *out = fm::device_atomic_ref<unsigned char>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_8(
// SM90:         ld.relaxed.gpu.b{{8|16}}
// AMD-LABEL:    {{^}}load_relaxed_8:
// GFX90A:       global_load_ubyte {{.*\] glc$}}
// GFX942:       global_load_ubyte {{.*\] sc1$}}
// GFX1100:      global_load_u8 {{.*\] glc$}}

extern "C" FERMATA_KERNEL load_relaxed_16(unsigned short* p, unsigned short* out) {
  *out = fm::device_atomic_ref<unsigned short>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_16(
// SM90:         ld.relaxed.gpu.b16
// AMD-LABEL:    {{^}}load_relaxed_16:
// GFX90A:       global_load_ushort {{.*\] glc$}}
// GFX942:       global_load_ushort {{.*\] sc1$}}
// GFX1100:      global_load_u16 {{.*\] glc$}}

extern "C" FERMATA_KERNEL load_relaxed_64(unsigned long long* p, unsigned long long* out) {
  *out = fm::device_atomic_ref<unsigned long long>(*p).load(fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry load_relaxed_64(
// SM90:         ld.relaxed.gpu.b64
// AMD-LABEL:    {{^}}load_relaxed_64:
// GFX90A:       global_load_dwordx2 {{.*\] glc$}}
// GFX942:       global_load_dwordx2 {{.*\] sc1$}}
// GFX1100:      global_load_b64 {{.*\] glc$}}

// --- acquire loads: the load, its wait, then the invalidate ---

extern "C" FERMATA_KERNEL load_acquire_block(unsigned* p, unsigned* out) {
  *out = fm::block_atomic_ref<unsigned>(*p).load(fm::memory_order_acquire);
}
// SM90-LABEL:   .entry load_acquire_block(
// SM90:         ld.acquire.cta.b32
// AMD-LABEL:    {{^}}load_acquire_block:
// GFX942:       global_load_dword {{.*\] sc0$}}
// GFX1100:      global_load_b32 {{.*\] glc$}}
// GFX1100-NEXT: s_waitcnt vmcnt(0)
// GFX1100-NEXT: buffer_gl0_inv
// IR-LABEL:     @load_acquire_block(
// IR:           load atomic i32, {{.*}} syncscope("workgroup-one-as") monotonic
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      fence syncscope("workgroup") acquire

extern "C" FERMATA_KERNEL load_acquire_device(unsigned* p, unsigned* out) {
  *out = fm::device_atomic_ref<unsigned>(*p).load(fm::memory_order_acquire);
}
// SM90-LABEL:   .entry load_acquire_device(
// SM90:         ld.acquire.gpu.b32
// AMD-LABEL:    {{^}}load_acquire_device:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX942:       global_load_dword {{.*\] sc1$}}
// GFX1100:      global_load_b32 {{.*\] glc$}}
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX1100-NEXT: buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// AMD:          s_endpgm
// IR-LABEL:     @load_acquire_device(
// IR:           load atomic i32, {{.*}} syncscope("agent-one-as") monotonic
// IR-NEXT:      fence syncscope("agent") acquire

extern "C" FERMATA_KERNEL load_acquire_system(unsigned* p, unsigned* out) {
  *out = fm::system_atomic_ref<unsigned>(*p).load(fm::memory_order_acquire);
}
// SM90-LABEL:   .entry load_acquire_system(
// SM90:         ld.acquire.sys.b32
// AMD-LABEL:    {{^}}load_acquire_system:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX942:       global_load_dword {{.*\] sc0 sc1$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc0 sc1
// IR-LABEL:     @load_acquire_system(
// IR:           load atomic i32, {{.*}} syncscope("one-as") monotonic
// IR-NEXT:      fence acquire

// The flag is in global memory, the data in shared memory, which the hardware does not keep in order.
extern "C" FERMATA_KERNEL load_acquire_block_shared_data(unsigned* p, unsigned* out) {
  FERMATA_SHARED(data, unsigned[64]);
  data[threadIdx.x] = *out;
  unsigned const flag = fm::block_atomic_ref<unsigned>(*p).load(fm::memory_order_acquire);
  *out = flag + data[threadIdx.x ^ 1];
}
// AMD-LABEL:    {{^}}load_acquire_block_shared_data:
// GFX9:         ds_write_b32
// GFX9:         global_load_dword
// GFX1100:      ds_store_b32
// GFX1100:      global_load_b32
// AMD-NOT:      {{ds_read|ds_load}}
// AMD:          s_waitcnt vmcnt(0)
// GFX9:         ds_read_b32
// GFX1100:      ds_load_b32

// --- relaxed stores ---

extern "C" FERMATA_KERNEL store_relaxed_block(unsigned* p) {
  fm::block_atomic_ref<unsigned>(*p).store(1, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry store_relaxed_block(
// SM90:         st.relaxed.cta.b32
// AMD-LABEL:    {{^}}store_relaxed_block:
// GFX942:       global_store_dword {{.*\] sc0$}}
// IR-LABEL:     @store_relaxed_block(
// IR:           store atomic i32 {{.*}} syncscope("workgroup-one-as") monotonic

extern "C" FERMATA_KERNEL store_relaxed_device(unsigned* p) {
  fm::device_atomic_ref<unsigned>(*p).store(1, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry store_relaxed_device(
// SM90-NOT:     fence
// SM90:         st.relaxed.gpu.b32
// AMD-LABEL:    {{^}}store_relaxed_device:
// AMD-NOT:      {{buffer_|vmcnt|vscnt}}
// GFX90A:       global_store_dword
// GFX942:       global_store_dword {{.*\] sc1$}}
// GFX1100:      global_store_b32
// AMD-NOT:      {{buffer_|vmcnt|vscnt}}
// AMD:          s_endpgm
// IR-LABEL:     @store_relaxed_device(
// IR:           store atomic i32 {{.*}} syncscope("agent-one-as") monotonic

extern "C" FERMATA_KERNEL store_relaxed_system(unsigned* p) {
  fm::system_atomic_ref<unsigned>(*p).store(1, fm::memory_order_relaxed);
}
// SM90-LABEL:   .entry store_relaxed_system(
// SM90:         st.relaxed.sys.b32
// AMD-LABEL:    {{^}}store_relaxed_system:
// GFX942:       global_store_dword {{.*\] sc0 sc1$}}
// IR-LABEL:     @store_relaxed_system(
// IR:           store atomic i32 {{.*}} syncscope("one-as") monotonic

// --- release stores: write-back, wait, store ---

extern "C" FERMATA_KERNEL store_release_block(unsigned* data, unsigned* p) {
  *data = 7;
  fm::block_atomic_ref<unsigned>(*p).store(1, fm::memory_order_release);
}
// The wait makes a release of the block cumulative: the data has arrived when another wave releases at device scope.
// SM90-LABEL:   .entry store_release_block(
// SM90:         st.release.cta.b32
// AMD-LABEL:    {{^}}store_release_block:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NEXT:     global_store_
// GFX942-SAME:  {{\] sc0$}}
// IR-LABEL:     @store_release_block(
// IR:           fence syncscope("workgroup") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      store atomic i32 {{.*}} syncscope("workgroup-one-as") monotonic

extern "C" FERMATA_KERNEL store_release_device(unsigned* p) {
  fm::device_atomic_ref<unsigned>(*p).store(1, fm::memory_order_release);
}
// SM90-LABEL:   .entry store_release_device(
// SM90:         st.release.gpu.b32
// AMD-LABEL:    {{^}}store_release_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  global_store_dword {{.*\] sc1$}}
// GFX90A:       s_waitcnt vmcnt(0)
// GFX90A-NEXT:  global_store_dword
// AMD-NOT:      _inv
// AMD:          s_endpgm
// IR-LABEL:     @store_release_device(
// IR:           fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      store atomic i32 {{.*}} syncscope("agent-one-as") monotonic

extern "C" FERMATA_KERNEL store_release_device_data(unsigned* data, unsigned* p) {
  *data = 7;
  fm::device_atomic_ref<unsigned>(*p).store(1, fm::memory_order_release);
}
// AMD-LABEL:    {{^}}store_release_device_data:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NEXT:     global_store_

extern "C" FERMATA_KERNEL store_release_system(unsigned* p) {
  fm::system_atomic_ref<unsigned>(*p).store(1, fm::memory_order_release);
}
// SM90-LABEL:   .entry store_release_system(
// SM90:         st.release.sys.b32
// AMD-LABEL:    {{^}}store_release_system:
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX9-NEXT:    global_store_dword
// GFX942-SAME:  {{\] sc0 sc1$}}
// IR-LABEL:     @store_release_system(
// IR:           fence release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      store atomic i32 {{.*}} syncscope("one-as") monotonic

// The data has arrived before the release, because the thread had to wait for a load behind it: nothing seems to be
// outstanding. Here the compilers drop the wait behind the write-back that they emit themselves.
extern "C" FERMATA_KERNEL forward_device(unsigned* data, unsigned* in, unsigned* out) {
  *data = 7;
  unsigned const seen = fm::device_atomic_ref<unsigned>(*in).load(fm::memory_order_relaxed);
  if (seen != 0) fm::device_atomic_ref<unsigned>(*out).store(seen, fm::memory_order_release);
}
// AMD-LABEL:    {{^}}forward_device:
// GFX942:       s_cbranch
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  global_store_dword {{.*\] sc1$}}
// GFX1100:      s_cbranch
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: global_store_b32

extern "C" FERMATA_KERNEL store_release_8(unsigned char* p) {
  fm::device_atomic_ref<unsigned char>(*p).store(1, fm::memory_order_release);
}
// AMD-LABEL:    {{^}}store_release_8:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  global_store_byte {{.*\] sc1$}}

extern "C" FERMATA_KERNEL store_release_double(double* p) {
  fm::device_atomic_ref<double>(*p).store(1.0, fm::memory_order_release);
}
// SM90-LABEL:   .entry store_release_double(
// SM90:         st.release.gpu.b64
// AMD-LABEL:    {{^}}store_release_double:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  global_store_dwordx2 {{.*\] sc1$}}

// --- seq_cst: a load does not pass an earlier store (the store buffering test) ---

extern "C" FERMATA_KERNEL load_seq_cst_block(unsigned* p, unsigned* out) {
  out[0] = 1;
  out[1] = fm::block_atomic_ref<unsigned>(*p).load(fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry load_seq_cst_block(
// SM90:         st.global
// SM90:         fence.sc.cta
// SM90:         ld.acquire.cta.b32
// AMD-LABEL:    {{^}}load_seq_cst_block:
// AMD:          global_store_
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX9-NEXT:    global_load_dword
// GFX1100-NEXT: s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: global_load_b32
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL store_buffering_device(unsigned* x, unsigned* y, unsigned* out) {
  fm::device_atomic_ref<unsigned>(*x).store(1, fm::memory_order_seq_cst);
  *out = fm::device_atomic_ref<unsigned>(*y).load(fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry store_buffering_device(
// SM90:         fence.sc.gpu
// SM90:         st.relaxed.gpu.b32
// SM90:         fence.sc.gpu
// SM90:         ld.acquire.gpu.b32
// AMD-LABEL:    {{^}}store_buffering_device:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          global_store_
// GFX942-SAME:  {{\] sc1$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NEXT:     global_load_
// GFX942-SAME:  {{\] sc1$}}
// AMD-NEXT:     s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX1100-NEXT: buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// IR-LABEL:     @store_buffering_device(
// IR:           load atomic i32, {{.*}} syncscope("agent") seq_cst

extern "C" FERMATA_KERNEL store_buffering_system(unsigned* x, unsigned* y, unsigned* out) {
  fm::system_atomic_ref<unsigned>(*x).store(1, fm::memory_order_seq_cst);
  *out = fm::system_atomic_ref<unsigned>(*y).load(fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry store_buffering_system(
// SM90:         fence.sc.sys
// SM90:         st.relaxed.sys.b32
// SM90:         fence.sc.sys
// SM90:         ld.acquire.sys.b32
// AMD-LABEL:    {{^}}store_buffering_system:
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX90A:       buffer_wbl2{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX9-NEXT:    global_store_dword
// GFX942-SAME:  {{\] sc0 sc1$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX9-NEXT:    global_load_dword
// GFX942-SAME:  {{\] sc0 sc1$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_invl2
// GFX90A-NEXT:  buffer_wbinvl1_vol
// GFX942-NEXT:  buffer_inv sc0 sc1

// A byte is stored by an instruction of its own, and not by a loop around the word it lies in.
extern "C" FERMATA_KERNEL byte_accesses(unsigned char* p, unsigned char v) {
  fm::device_atomic_ref<unsigned char>(p[0]).store(v, fm::memory_order_release);
  p[1] = fm::device_atomic_ref<unsigned char>(p[2]).load(fm::memory_order_acquire);
  fm::block_atomic_ref<unsigned char>(p[3]).store(v, fm::memory_order_relaxed);
  fm::system_atomic_ref<unsigned char>(p[4]).store(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry byte_accesses(
// SM90-NOT:     atom
// SM90:         st.release.gpu.b8
// SM90:         ld.acquire.gpu.b8
// SM90:         st.relaxed.cta.b8
// SM90:         fence.sc.sys
// SM90:         st.relaxed.sys.b8
// SM90-NOT:     {{atom|fence}}
// SM90:         ret
// AMD-LABEL:    {{^}}byte_accesses:
// GFX9:         global_store_byte
// GFX9:         global_load_ubyte
// GFX11:        global_store_b8
// GFX11:        global_load_u8
// AMD-NOT:      cmpswap
// AMD:          s_endpgm
