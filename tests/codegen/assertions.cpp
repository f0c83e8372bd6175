// The assertions build: what a check asks before an operation goes on. What a failed one says needs a GPU
// (tests/assertions); which lanes and threads it misses shows here.
#define FERMATA_ENABLE_ASSERTIONS
#include <fermata/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/kernel.hpp>
#include <fermata/wave.hpp>

namespace fm = fermata;

// The lanes that exist, of all that a wave has: the caller must be one of them, and all of them come, to one operation.
extern "C" FERMATA_KERNEL_BOUNDS(256) checked_wave(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().all(in[threadIdx.x] > 3);
}
// SM90ONLY-LABEL: .entry checked_wave(
// SM90ONLY:     mov.{{[ub]}}32 [[WIDTH:%r[0-9]+]], 32;
// SM90ONLY:     min.u32 [[LIVE:%r[0-9]+]], {{%r[0-9]+}}, 32;
// SM90ONLY:     sub.s32 [[ABSENT:%r[0-9]+]], [[WIDTH]], [[LIVE]];
// SM90ONLY:     mov.{{[ub]}}32 [[ONES:%r[0-9]+]], -1;
// SM90ONLY:     shr.u32 [[ALL:%r[0-9]+]], [[ONES]], [[ABSENT]];
// SM90ONLY:     mov.u32 [[LANE:%r[0-9]+]], %laneid;
// SM90ONLY:     mov.{{[ub]}}32 [[ONE:%r[0-9]+]], 1;
// SM90ONLY:     shl.b32 [[SELF:%r[0-9]+]], [[ONE]], [[LANE]];
// SM90ONLY:     and.b32 [[NAMED:%r[0-9]+]], [[SELF]], [[ALL]];
// SM90ONLY:     setp.ne.s32 [[IS_NAMED:%p[0-9]+]], [[NAMED]], 0;
// SM90ONLY-NEXT: @[[IS_NAMED]] bra [[COME:\$L__BB[0-9_]+]];
// SM90ONLY:     trap;
// SM90ONLY:     [[COME]]:
// SM90ONLY:     bar.warp.sync [[ALL]];
// SM90ONLY:     activemask.b32 [[ACTIVE:%r[0-9]+]];
// SM90ONLY:     and.b32 [[HERE:%r[0-9]+]], [[ACTIVE]], [[ALL]];
// SM90ONLY:     setp.eq.s32 [[ARE_ALL:%p[0-9]+]], [[HERE]], [[ALL]];
// SM90ONLY-NEXT: @[[ARE_ALL]] bra [[AGREE:\$L__BB[0-9_]+]];
// SM90ONLY:     trap;
// SM90ONLY:     [[AGREE]]:
// SM90ONLY:     match.all.sync.b32 {{%r[0-9]+}}|[[SAME:%p[0-9]+]], {{%r[0-9]+}}, [[ALL]];
// SM90ONLY-NEXT: @[[SAME]] bra [[ON:\$L__BB[0-9_]+]];
// SM90ONLY:     trap;
// SM90ONLY:     [[ON]]:
// SM90ONLY:     vote.sync.all.pred
// SM90ONLY:     ret;
// IR-LABEL:     @checked_wave(
// IR:           [[ABSENT:%[0-9]+]] = tail call i32 @llvm.usub.sat.i32(i32 64, i32 {{%[0-9]+}})
// IR:           [[SHIFT:%[0-9]+]] = zext {{.*}}i32 [[ABSENT]] to i64
// IR-NEXT:      [[ALL:%[0-9]+]] = lshr i64 -1, [[SHIFT]]
// IR:           [[SELF:%[0-9]+]] = shl nuw i64 1,
// IR-NEXT:      [[NAMED:%[0-9]+]] = and i64 [[ALL]], [[SELF]]
// IR-NEXT:      [[IS_NOT_NAMED:%[0-9]+]] = icmp eq i64 [[NAMED]], 0
// IR-NEXT:      br i1 [[IS_NOT_NAMED]], label {{%[0-9]+}}, label %[[COME:[0-9]+]]
// IR:           call void @llvm.trap()
// IR:           {{^}}[[COME]]:
// IR-NEXT:      [[ACTIVE:%[0-9]+]] = {{.*}}call noundef i64 @llvm.amdgcn.ballot.i64(i1 true)
// IR-NEXT:      [[HERE:%[0-9]+]] = and i64 [[ACTIVE]], [[ALL]]
// IR-NEXT:      [[ARE_ALL:%[0-9]+]] = icmp eq i64 [[HERE]], [[ALL]]
// IR-NEXT:      br i1 [[ARE_ALL]], label %[[ON:[0-9]+]], label
// IR:           call void @llvm.trap()
// IR:           {{^}}[[ON]]:
// IR:           ret void

// The threads of the block, all of which must have come.
extern "C" FERMATA_KERNEL_BOUNDS(256) checked_block(unsigned* p) {
  p[threadIdx.x] = 1;
  fm::this_block().sync();
  p[threadIdx.x + 1] = 2;
}
// SM90ONLY-LABEL: .entry checked_block(
// SM90ONLY:     bar.red.popc.u32 [[HERE:%r[0-9]+]], 0,
// SM90ONLY:     mov.u32 [[DEPTH:%r[0-9]+]], %ntid.z;
// SM90ONLY:     mul.lo.s32 [[ALL:%r[0-9]+]], {{%r[0-9]+}}, [[DEPTH]];
// SM90ONLY:     setp.eq.s32 [[ARE_ALL:%p[0-9]+]], [[HERE]], [[ALL]];
// SM90ONLY-NEXT: @[[ARE_ALL]] bra [[ON:\$L__BB[0-9_]+]];
// SM90ONLY:     trap;
// SM90ONLY:     [[ON]]:
// SM90ONLY:     bar.sync
// SM90ONLY:     ret;
// IR-LABEL:     @checked_block(
// IR-COUNT-2:   call void @llvm.amdgcn.s.barrier()
// IR:           [[ARE_ALL:%[0-9]+]] = icmp eq i32 {{%[0-9]+}}, {{%[0-9]+}}
// IR-NEXT:      br i1 [[ARE_ALL]], label %[[ON:[0-9]+]], label
// IR:           call void @llvm.trap()
// IR:           {{^}}[[ON]]:
// IR:           call void @llvm.amdgcn.s.barrier()
// IR:           ret void

// An object where it may not be.
extern "C" FERMATA_KERNEL checked_object(unsigned* p) {
  fm::device_atomic_ref<unsigned>(*p).store(1, fm::memory_order_relaxed);
}
// SM90ONLY-LABEL: .entry checked_object(
// SM90ONLY:     and.b64 [[REST:%rd[0-9]+]], {{%rd[0-9]+}}, 3;
// SM90ONLY:     setp.eq.s64 [[ALIGNED:%p[0-9]+]], [[REST]], 0;
// SM90ONLY-NEXT: @[[ALIGNED]] bra [[ON:\$L__BB[0-9_]+]];
// SM90ONLY:     trap;
// SM90ONLY:     [[ON]]:
// SM90ONLY:     st.relaxed.gpu.b32
