// Sixteen bytes in one instruction, from sm_90 on.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

struct alignas(16) wide {
  unsigned long long low, high;
};

extern "C" FERMATA_KERNEL wide_accesses(wide* p, wide v) {
  fm::device_atomic_ref<wide>(p[0]).store(v, fm::memory_order_release);
  p[1] = fm::system_atomic_ref<wide>(p[2]).load(fm::memory_order_acquire);
  p[3] = fm::block_atomic_ref<wide>(p[4]).exchange(v, fm::memory_order_relaxed);
  wide expected = v;
  fm::atomic_ref<wide, fm::thread_scope_cluster>(p[5]).compare_exchange_strong(
      expected, p[6], fm::memory_order_release, fm::memory_order_acquire);
  p[7] = expected;
  fm::device_atomic_ref<wide>(p[8]).store(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry wide_accesses(
// SM90:         st.release.gpu.b128
// SM90:         ld.acquire.sys.b128
// SM90:         atom.exch.relaxed.cta.b128
// SM90:         atom.cas.acq_rel.cluster.b128
// SM90:         fence.sc.gpu
// SM90:         st.relaxed.gpu.b128
// SM90-NOT:     {{fence|atom}}
// SM90:         ret
