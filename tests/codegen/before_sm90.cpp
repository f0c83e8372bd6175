// Before sm_90 there are no clusters: a cluster is a block, and its scope the next wider one, that of the device. An
// mbarrier counts several arrivals by two instructions, and bfloat16 is added in a loop.
#include <fermata/atomic.hpp>
#include <fermata/barrier.hpp>
#include <fermata/block.hpp>
#include <fermata/cluster.hpp>
#include <fermata/fence.hpp>
#include <fermata/half.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL cluster_scope(unsigned* p) {
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_cluster);
  fm::atomic_ref<unsigned, fm::thread_scope_cluster>(p[0]).store(1, fm::memory_order_release);
  p[2] = fm::atomic_ref<unsigned, fm::thread_scope_cluster>(p[1]).fetch_inc_wrap(7, fm::memory_order_relaxed);
}
// SM80-LABEL:   .entry cluster_scope(
// SM80:         fence.acq_rel.gpu;
// SM80:         st.release.gpu.b32
// SM80:         atom.inc.relaxed.gpu.u32
// SM80-NOT:     .cluster
// SM80:         ret;

extern "C" FERMATA_KERNEL cluster_of_one(unsigned* p) {
  auto const cluster = fm::this_cluster();
  p[0] = cluster.rank();
  p[1] = cluster.size();
  cluster.sync();
  p[2] = 2;
}
// SM80-LABEL:   .entry cluster_of_one(
// SM80:         mov.u32 [[RANK:%r[0-9]+]], 0;
// SM80-NEXT:    st.global.u32 [{{%rd[0-9]+}}], [[RANK]];
// SM80:         mov.u32 [[SIZE:%r[0-9]+]], 1;
// SM80-NEXT:    st.global.u32 [{{%rd[0-9]+}}+4], [[SIZE]];
// SM80:         bar.sync 0;
// SM80:         st.global.u32
// SM80:         ret;

extern "C" FERMATA_KERNEL_BOUNDS(256) several_arrivals(unsigned* p, unsigned n) {
  FERMATA_SHARED(barrier, fm::barrier<fm::thread_scope_block>);
  if (threadIdx.x == 0) barrier.init(256);
  fm::this_block().sync();
  barrier.wait(barrier.arrive(n));
  p[threadIdx.x] = 3;
}
// SM80-LABEL:   .entry several_arrivals(
// SM80:         ld.param.u32 [[N:%r[0-9]+]], [several_arrivals_param_1];
// SM80:         setp.lt.u32 [[ONE:%p[0-9]+]], [[N]], 2;
// SM80-NEXT:    @[[ONE]] bra [[LAST:\$L__BB[0-9_]+]];
// SM80:         add.s32 [[OTHERS:%r[0-9]+]], [[N]], -1;
// SM80:         mbarrier.arrive.noComplete.shared.b64 {{%rd[0-9]+}}, [{{%r[0-9]+}}], [[OTHERS]];
// SM80:         [[LAST]]:
// SM80:         mbarrier.arrive.shared.b64 [[PHASE:%rd[0-9]+]], [{{%r[0-9]+}}];
// SM80:         [[POLL:\$L__BB[0-9_]+]]:
// SM80:         mbarrier.test_wait.shared.b64 {{.*}}, [[PHASE]];
// SM80:         bra [[POLL]];
// SM80:         ret;

extern "C" FERMATA_KERNEL add_bfloat16(fm::bfloat16* p, fm::bfloat16 v) {
  p[1] = fm::device_atomic_ref<fm::bfloat16>(p[0]).fetch_add(v, fm::memory_order_acq_rel);
}
// SM80-LABEL:   .entry add_bfloat16(
// SM80:         fence.acq_rel.gpu;
// SM80:         fma.rn.bf16
// SM80:         atom.cas.relaxed.gpu.b32
// SM80:         fence.acq_rel.gpu;
// SM80:         ret;
