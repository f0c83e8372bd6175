// The block barrier: every wave drains its own accesses in front of it, so that a leader's release covers all of them.
#include <fermata/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL_BOUNDS(256) block_sync(unsigned* p) {
  p[threadIdx.x] = 1;
  fm::this_block().sync();
  p[threadIdx.x + 1] = 2;
}
// SM90-LABEL:   .entry block_sync(
// SM90:         bar.sync
// AMD-LABEL:    {{^}}block_sync:
// AMD:          global_store_
// AMD-NOT:      {{(global|flat|buffer)_}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX1100-NEXT: buffer_gl0_inv
// AMD-NOT:      buffer_
// AMD:          global_store_
// IR-LABEL:     @block_sync(
// IR:           fence syncscope("workgroup") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      call void @llvm.amdgcn.s.barrier()
// IR-NEXT:      fence syncscope("workgroup") acquire

// An atomic without a result is as much on its way as a store.
extern "C" FERMATA_KERNEL_BOUNDS(256) block_sync_after_atomic(unsigned* p, unsigned* q) {
  (void)fm::device_atomic_ref<unsigned>(p[threadIdx.x]).fetch_add(threadIdx.x, fm::memory_order_relaxed);
  fm::this_block().sync();
  *q = 2;
}
// AMD-LABEL:    {{^}}block_sync_after_atomic:
// AMD:          global_atomic_add
// AMD-NOT:      s_barrier
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NEXT:     s_barrier

// The leader has drained before the barrier, so to the compiler nothing is outstanding; its release must wait anyway.
extern "C" FERMATA_KERNEL_BOUNDS(256) leader_release_device(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fm::this_block().sync();
  if (fm::this_block().thread_rank() == 0) fm::device_atomic_ref<unsigned>(*flag).store(1, fm::memory_order_release);
}
// SM90-LABEL:   .entry leader_release_device(
// SM90:         bar.sync
// SM90:         st.release.gpu.b32
// AMD-LABEL:    {{^}}leader_release_device:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NOT:  {{(global|flat)_}}
// GFX1100:      s_barrier
// GFX942-NOT:   {{(global|flat)_}}
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  global_store_dword {{.*}} sc1

extern "C" FERMATA_KERNEL_BOUNDS(256) leader_release_system(unsigned* data, unsigned* flag) {
  data[threadIdx.x] = 1;
  fm::this_block().sync();
  if (fm::this_block().thread_rank() == 0)
    (void)fm::system_atomic_ref<unsigned>(*flag).fetch_add(1, fm::memory_order_acq_rel);
}
// SM90-LABEL:   .entry leader_release_system(
// SM90:         bar.sync
// SM90:         atom.add.acq_rel.sys.u32
// AMD-LABEL:    {{^}}leader_release_system:
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX90A:       buffer_wbl2{{$}}
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX9-NOT:     {{(global|flat|buffer)_}}
// GFX9:         global_atomic_add
// GFX9:         s_waitcnt vmcnt(0)
// GFX90A-NEXT:  buffer_invl2
// GFX942-NEXT:  buffer_inv sc0 sc1{{$}}

extern "C" FERMATA_KERNEL_BOUNDS(256) block_sync_count(unsigned* p) {
  p[threadIdx.x] = fm::this_block().sync_count(p[threadIdx.x] > 3);
}
// SM90-LABEL:   .entry block_sync_count(
// SM90:         {{bar(rier)?}}.red.popc
// AMD-LABEL:    {{^}}block_sync_count:
// GFX9:         s_bcnt1_i32_b64
// GFX9:         ds_write_b32
// GFX1100:      s_bcnt1_i32_b32
// GFX1100:      ds_store_b32
// AMD:          lgkmcnt(0)
// AMD:          s_barrier
// GFX9:         ds_read
// GFX1100:      ds_load
// AMD:          s_barrier
// AMD:          s_endpgm
// A count for each wave of the largest block.
// AMD:          .amdhsa_group_segment_fixed_size 128
// Lane 0 writes its wave's, at the number of the wave; all are added up, from the first to that of the last wave, which
// need not be full.
// IR-LABEL:     @block_sync_count(
// IR:           [[YES:%[0-9]+]] = {{.*}}call noundef i64 @llvm.amdgcn.ballot.i64(i1
// IR:           [[LANE:%[0-9]+]] = {{.*}}@llvm.amdgcn.mbcnt.hi(
// IR-NEXT:      [[IS_FIRST:%[0-9]+]] = icmp eq i32 [[LANE]], 0
// IR-NEXT:      br i1 [[IS_FIRST]], label %[[WRITE:[0-9]+]],
// IR:           {{^}}[[WRITE]]:
// IR-NEXT:      [[WIDE:%[0-9]+]] = {{.*}}@llvm.ctpop.i64(i64 [[YES]])
// IR-NEXT:      [[COUNT:%[0-9]+]] = trunc nuw nsw i64 [[WIDE]] to i32
// IR:           [[WAVE:%[0-9]+]] = lshr i32 {{%[0-9]+}}, 6
// IR-NEXT:      [[PLACE:%[0-9]+]] = getelementptr {{.*}}[32 x i32], {{.*}} i32 [[WAVE]]
// IR-NEXT:      store i32 [[COUNT]], ptr addrspace(3) [[PLACE]]
// IR:           call void @llvm.amdgcn.s.barrier()
// IR:           [[THREADS:%[0-9]+]] = add nuw nsw i32 {{%[0-9]+}}, 63
// IR-NEXT:      [[WAVES:%[0-9]+]] = lshr i32 [[THREADS]], 6
// IR:           and i32 [[WAVES]], 7
// IR:           {{^[0-9]+}}:
// IR:           [[FROM:%[0-9]+]] = phi i32 [ 0, {{%[0-9]+}} ], [ {{%[0-9]+}}, {{%[0-9]+}} ]
// IR:           getelementptr {{.*}}[32 x i32], {{.*}} i32 [[FROM]]
// IR:           call void @llvm.amdgcn.s.barrier()
// IR:           ret void

extern "C" FERMATA_KERNEL_BOUNDS(256) block_sync_and_or(unsigned* p) {
  if (fm::this_block().sync_and(p[threadIdx.x] > 3)) p[0] = 1;
  if (fm::this_block().sync_or(p[threadIdx.x] > 3)) p[1] = 1;
}
// SM90-LABEL:   .entry block_sync_and_or(
// SM90:         {{bar(rier)?}}.red.and.pred
// SM90:         setp.eq.{{[sb]}}32 [[NOT_ALL:%p[0-9]+]], {{%r[0-9]+}}, 0;
// SM90-NEXT:    @[[NOT_ALL]] bra
// SM90:         st.global.u32
// SM90:         {{bar(rier)?}}.red.or.pred
// SM90:         setp.eq.{{[sb]}}32 [[NONE:%p[0-9]+]], {{%r[0-9]+}}, 0;
// SM90-NEXT:    @[[NONE]] bra
// SM90:         st.global.u32
// AMD-LABEL:    {{^}}block_sync_and_or:
// AMD-COUNT-4:  s_barrier
// AMD:          s_endpgm
// The first counts who says no.
// IR-LABEL:     @block_sync_and_or(
// IR:           [[NO:%[0-9]+]] = icmp ult i32 {{.*}}, 4
// IR-NEXT:      call noundef i64 @llvm.amdgcn.ballot.i64(i1 [[NO]])
// IR-COUNT-2:   call void @llvm.amdgcn.s.barrier()
// IR-NEXT:      fence syncscope("workgroup") acquire
// IR-NEXT:      [[NOBODY:%[0-9]+]] = icmp eq i32 {{%[0-9]+}}, 0
// IR-NEXT:      br i1 [[NOBODY]], label %[[STORE:[0-9]+]],
// IR:           {{^}}[[STORE]]:
// IR-NEXT:      store i32 1
// IR:           [[YES:%[0-9]+]] = icmp ugt i32 {{.*}}, 3
// IR-NEXT:      call noundef i64 @llvm.amdgcn.ballot.i64(i1 [[YES]])
// IR-COUNT-2:   call void @llvm.amdgcn.s.barrier()
// IR-NEXT:      fence syncscope("workgroup") acquire
// IR-NEXT:      [[NONE:%[0-9]+]] = icmp eq i32 {{%[0-9]+}}, 0
// IR-NEXT:      br i1 [[NONE]], label {{%[0-9]+}}, label %[[SECOND:[0-9]+]]
// IR:           {{^}}[[SECOND]]:
// IR-NEXT:      getelementptr
// IR-NEXT:      store i32 1

// The barrier in two halves: here the second one does all the work, and it is the same as sync().
extern "C" FERMATA_KERNEL_BOUNDS(256) block_split(unsigned* p) {
  p[threadIdx.x] = 1;
  auto const token = fm::this_block().arrive();
  p[threadIdx.x + 256] = 2;
  fm::this_block().wait(token);
  p[threadIdx.x + 1] = 3;
}
// SM90-LABEL:   .entry block_split(
// SM90-COUNT-2: st.global
// SM90-NOT:     st.global
// SM90:         bar.sync
// SM90-NOT:     bar
// SM90:         st.global
// SM90:         ret
// AMD-LABEL:    {{^}}block_split:
// AMD-NOT:      s_barrier
// AMD-COUNT-2:  global_store_
// AMD-NOT:      {{global_|s_barrier}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// AMD-NOT:      s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

// The second bound is blocks a multiprocessor, which on AMD are waves a SIMD: 2 blocks of 512 threads are 16 waves of
// 64 on four SIMDs.
extern "C" FERMATA_KERNEL_BOUNDS(512, 2) launch_bounds(unsigned* p) { *p = 1; }
// SM90-LABEL:   .entry launch_bounds(
// SM90:         .maxntid 512
// SM90:         .minnctapersm 2
// IR-LABEL:     @launch_bounds(
// IR-SAME:      #[[BOUNDS:[0-9]+]]

// Five waves are two on one of the SIMDs.
extern "C" FERMATA_KERNEL_BOUNDS(320, 1) odd_launch_bounds(unsigned* p) { *p = 1; }
// IR-LABEL:     @odd_launch_bounds(
// IR-SAME:      #[[ODD_BOUNDS:[0-9]+]]
// IR-DAG:       attributes #[[BOUNDS]] = {{.*}}"amdgpu-flat-work-group-size"="1,512"{{.*}}"amdgpu-waves-per-eu"="4"
// IR-DAG:       attributes #[[ODD_BOUNDS]] = {{.*}}"amdgpu-flat-work-group-size"="1,320"{{.*}}"amdgpu-waves-per-eu"="2"
