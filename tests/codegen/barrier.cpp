// Barriers, latches and semaphores: an arrival is released before it counts, and a wait acquires once, when it ends.
#include <fermata/barrier.hpp>
#include <fermata/block.hpp>
#include <fermata/kernel.hpp>
#include <fermata/latch.hpp>
#include <fermata/semaphore.hpp>

namespace fm = fermata;

// The hardware's barrier on NVIDIA. On AMD one lane arrives for the wave, after the wave's shared and global accesses
// have completed; polls are plain reads of shared memory.
extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_block(unsigned* p) {
  FERMATA_SHARED(barrier, fm::barrier<fm::thread_scope_block>);
  if (threadIdx.x == 0) barrier.init(256);
  fm::this_block().sync();
  p[threadIdx.x] = 1;
  auto const token = barrier.arrive();
  p[threadIdx.x + 256] = 2;
  barrier.wait(token);
  p[threadIdx.x + 512] = 3;
}
// SM90-LABEL:   .entry barrier_block(
// SM90-NOT:     isspacep
// SM90:         mbarrier.init.shared.b64
// SM90:         bar.sync
// SM90:         st.global
// SM90-NOT:     {{atom|fence|membar|clock|globaltimer}}
// SM90:         mbarrier.arrive.shared::cta.b64
// SM90:         st.global
// SM90-NOT:     {{nanosleep|clock|globaltimer}}
// SM90:         [[POLL:\$L__BB[0-9_]+]]:
// SM90-NOT:     {{nanosleep|clock|globaltimer}}
// SM90:         mbarrier.try_wait.shared{{(::cta)?}}.b64
// SM90-NOT:     {{nanosleep|clock|globaltimer}}
// SM90:         bra [[POLL]]
// SM90-NOT:     {{nanosleep|clock|globaltimer}}
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}barrier_block:
// GFX9:         ds_write_b64
// GFX1100:      ds_store_b64
// AMD:          lgkmcnt(0)
// AMD:          s_barrier
// AMD:          global_store_
// AMD-NOT:      {{(global|flat|ds)_}}
// GFX9:         s_waitcnt lgkmcnt(0)
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt vmcnt(0) lgkmcnt(0)
// GFX1100-NEXT: s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          ds_add_rtn_u64
// AMD:          s_waitcnt lgkmcnt(0)
// GFX9:         ds_wrxchg_rtn_b64
// GFX1100:      ds_storexchg_rtn_b64
// AMD:          global_store_
// AMD:          s_sleep
// GFX9:         ds_read_b64
// GFX1100:      ds_load_b64
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          s_cbranch_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      {{(flat|buffer)_}}
// AMD:          global_store_
// AMD:          s_endpgm

// Several arrivals in one, a look without waiting, and a drop.
extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_block_arrivals(unsigned* p, unsigned n) {
  FERMATA_SHARED(barrier, fm::barrier<fm::thread_scope_block>);
  if (threadIdx.x == 0) barrier.init(256);
  fm::this_block().sync();
  auto const token = barrier.arrive(n);
  p[0] = barrier.try_wait(token);
  barrier.arrive_and_drop();
}
// SM90-LABEL:   .entry barrier_block_arrivals(
// SM90:         mbarrier.arrive.shared::cta.b64 %rd{{[0-9]+}}, [%r{{[0-9]+}}], %r{{[0-9]+}};
// SM90-NOT:     {{nanosleep|clock|globaltimer}}
// SM90:         mbarrier.test_wait.shared.b64
// SM90:         st.global
// SM90:         mbarrier.arrive_drop.shared.b64 _
// SM90:         ret
// AMD-LABEL:    {{^}}barrier_block_arrivals:
// AMD:          ds_add_rtn_u64
// GFX9:         ds_read_b64
// GFX1100:      ds_load_b64
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD:          ds_add_rtn_u64
// AMD:          s_endpgm

// Reached by a pointer that may lead into shared memory or out of it: the one question is asked once, and whoever is
// initialised as an mbarrier is counted and awaited as one.
extern "C" FERMATA_KERNEL_BOUNDS(32) barrier_somewhere(fm::barrier<fm::thread_scope_block>* elsewhere, unsigned* p) {
  FERMATA_SHARED(shared, fm::barrier<fm::thread_scope_block>);
  auto* const barrier = elsewhere != nullptr ? elsewhere : &shared;
  barrier->init(32);
  auto const token = barrier->arrive();
  p[threadIdx.x] = barrier->try_wait(token);
}
// SM90-LABEL:   .entry barrier_somewhere(
// SM90:         isspacep.shared [[SHARED:%p[0-9]+]],
// SM90-NEXT:    @[[SHARED]] bra [[HARDWARE:\$L__BB[0-9_]+]];
// SM90:         [[HARDWARE]]:
// SM90-NOT:     {{isspacep|atom|trap|bra}}
// SM90:         mbarrier.init.shared.b64
// SM90-NOT:     {{isspacep|atom|trap|bra}}
// SM90:         mbarrier.arrive.shared::cta.b64
// SM90-NOT:     {{isspacep|atom|trap|bra}}
// SM90:         mbarrier.test_wait.shared.b64
// AMD-LABEL:    {{^}}barrier_somewhere:
// GFX9:         flat_atomic_add_x2
// GFX1100:      flat_atomic_add_u64
// AMD:          s_endpgm

// Between blocks: one read-modify-write that releases; the last arriver's own is relaxed, as it carries the releases of
// all others on; the wait ends with an acquire.
extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_device(unsigned* p, fm::barrier<fm::thread_scope_device>* barrier) {
  p[threadIdx.x] = 1;
  barrier->arrive_and_wait();
  p[threadIdx.x + 256] = 2;
}
// SM90-LABEL:   .entry barrier_device(
// SM90:         st.global
// SM90-NOT:     fence
// SM90:         atom.add.release.gpu.u64
// SM90-NOT:     fence
// SM90:         atom.exch.relaxed.gpu.b64
// SM90-NOT:     fence
// SM90:         ld.acquire.gpu.b64
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}barrier_device:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global_(load|store)|flat_|buffer_)}}
// GFX9:         global_atomic_add_x2
// GFX1100:      global_atomic_add_u64
// AMD:          s_waitcnt vmcnt(0)
// AMD-NOT:      buffer_
// GFX9:         global_atomic_swap_x2
// GFX1100:      global_atomic_swap_b64
// AMD-NOT:      buffer_
// AMD:          s_sleep
// GFX9:         global_load_dwordx2
// GFX942-SAME:  sc1{{$}}
// GFX1100:      global_load_b64
// AMD-NOT:      buffer_
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_store_
// AMD:          s_endpgm

struct store_two {
  unsigned* p;
  FERMATA_DEVICE void operator()() const { *p = 2; }
};

// The completion stands behind an acquire and in front of a release, in the last arriver alone.
extern "C" FERMATA_KERNEL_BOUNDS(256)
    barrier_completion(unsigned* p, fm::barrier<fm::thread_scope_device, store_two>* barrier) {
  p[threadIdx.x] = 1;
  (void)barrier->arrive();
}
// SM90-LABEL:   .entry barrier_completion(
// SM90:         atom.add.release.gpu.u64
// SM90:         bra
// SM90:         fence.acq_rel.gpu
// SM90:         st.u32
// SM90:         atom.exch.release.gpu.b64
// SM90:         ret
// AMD-LABEL:    {{^}}barrier_completion:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX9:         global_atomic_add_x2
// GFX1100:      global_atomic_add_u64
// AMD:          s_waitcnt vmcnt(0)
// AMD:          s_cbranch_execz
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          {{(flat|global)}}_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(flat|global|buffer)_(load|store|inv)}}
// GFX9:         global_atomic_swap_x2
// GFX1100:      global_atomic_swap_b64
// AMD:          s_endpgm

// A latch: one add that releases, a wait that ends with an acquire.
extern "C" FERMATA_KERNEL_BOUNDS(256) latch_device(unsigned* p, fm::latch<fm::thread_scope_device>* latch) {
  p[threadIdx.x] = 1;
  latch->arrive_and_wait();
  p[threadIdx.x + 256] = 2;
}
// SM90-LABEL:   .entry latch_device(
// SM90:         st.global
// SM90:         atom.add.release.gpu.u32
// SM90-NOT:     fence
// SM90:         ld.acquire.gpu.b32
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}latch_device:
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global_(load|store)|flat_|buffer_)}}
// AMD:          global_atomic_{{sub|add}}
// AMD-NOT:      buffer_
// AMD:          s_sleep
// AMD:          global_load_
// AMD-NOT:      buffer_
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_store_
// AMD:          s_endpgm

// Looking without waiting acquires, too: whoever is told that all have arrived reads what they wrote.
extern "C" FERMATA_KERNEL_BOUNDS(256) look_device(unsigned* p, fm::latch<fm::thread_scope_device>* latch,
                                                  fm::barrier<fm::thread_scope_device>* barrier, unsigned* q) {
  auto const token = barrier->arrive();
  if (latch->try_wait()) p[0] = q[0];
  if (barrier->try_wait(token)) p[1] = q[1];
}
// SM90-LABEL:   .entry look_device(
// SM90:         ld.acquire.gpu.b32
// SM90:         ld.global.u32
// SM90:         ld.acquire.gpu.b64
// SM90:         ld.global.u32
// AMD-LABEL:    {{^}}look_device:
// AMD:          global_load_{{dword|b32}} {{.*}} {{sc1|glc}}
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load_{{dwordx2|b64}} {{.*}} {{sc1|glc}}
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          s_endpgm

// A semaphore as a lock: relaxed polls, a compare-exchange that acquires; one add that releases.
extern "C" FERMATA_KERNEL_BOUNDS(256) lock_device(unsigned* p, fm::binary_semaphore<fm::thread_scope_device>* lock) {
  if (threadIdx.x != 0) return;
  lock->acquire();
  *p = 1;
  lock->release();
}
// SM90-LABEL:   .entry lock_device(
// SM90:         [[AGAIN:\$L__BB[0-9_]+]]:
// SM90:         ld.relaxed.gpu.b32
// SM90:         atom.cas.acquire.gpu.b32
// SM90:         bra [[AGAIN]];
// SM90:         st.global
// SM90:         {{atom|red}}.add.release.gpu.u32
// SM90:         ret
// AMD-LABEL:    {{^}}lock_device:
// AMD-NOT:      {{buffer_|global_store_}}
// AMD:          global_atomic_cmpswap
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_store_
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global_(load|store)|flat_|buffer_)}}
// AMD:          global_atomic_{{inc|add}}
// AMD:          s_endpgm

// The hardware counts in 20 bits, a word of 64 in twice 24.
extern "C" FERMATA_KERNEL barrier_limits(unsigned* p) {
  p[0] = fm::barrier<fm::thread_scope_block>::max_count();
  p[1] = fm::barrier<fm::thread_scope_device>::max_count();
}
// SM90-LABEL:   .entry barrier_limits(
// SM90:         mov.{{[ub]}}32 {{.*}}, 1048575;
// SM90:         mov.{{[ub]}}32 {{.*}}, 16777215;
// AMD-LABEL:    {{^}}barrier_limits:
// GFX9:         v_mov_b32_e32 {{v[0-9]+}}, 0xffffff{{$}}
// GFX1100:      v_{{(dual_)?}}mov_b32{{(_e32)?}} {{v[0-9]+}}, 0xffffff{{( |$)}}
// AMD:          s_endpgm
