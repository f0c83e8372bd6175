// Cluster scope: on sm_90 the instructions of the other scopes with .cluster, in the same sequences; on AMD, which has
// no clusters, those of device scope.
#include <fermata/atomic.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

template <class T>
using ref = fm::atomic_ref<T, fm::thread_scope_cluster>;

extern "C" FERMATA_KERNEL cluster_loads(unsigned* p, unsigned char* q, unsigned long long* r, unsigned* out) {
  out[0] = ref<unsigned>(*p).load(fm::memory_order_relaxed);
  out[1] = ref<unsigned char>(*q).load(fm::memory_order_acquire);
  out[2] = static_cast<unsigned>(ref<unsigned long long>(*r).load(fm::memory_order_seq_cst));
}
// SM90-LABEL:   .entry cluster_loads(
// SM90:         ld.relaxed.cluster.b32
// SM90:         ld.acquire.cluster.b8
// SM90:         fence.sc.cluster
// SM90:         ld.acquire.cluster.b64
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret
// AMD-LABEL:    {{^}}cluster_loads:
// GFX942:       global_load_dword {{.*}} sc1{{$}}
// GFX942:       global_load_ubyte {{.*}} sc1{{$}}
// GFX942:       buffer_inv sc1{{$}}

extern "C" FERMATA_KERNEL cluster_stores(unsigned* p, unsigned short* q, unsigned v) {
  ref<unsigned>(*p).store(v, fm::memory_order_relaxed);
  ref<unsigned short>(*q).store(static_cast<unsigned short>(v), fm::memory_order_release);
  ref<unsigned>(*p).store(v, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry cluster_stores(
// SM90:         st.relaxed.cluster.b32
// SM90:         st.release.cluster.b16
// SM90:         fence.sc.cluster
// SM90:         st.relaxed.cluster.b32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret
// AMD-LABEL:    {{^}}cluster_stores:
// GFX942:       global_store_dword {{.*}} sc1{{$}}
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942:       global_store_short {{.*}} sc1{{$}}

extern "C" FERMATA_KERNEL cluster_updates(int* i, long long* l, float* f, double* d, int v) {
  i[4] = ref<int>(i[0]).fetch_add(v, fm::memory_order_relaxed);
  i[5] = ref<int>(i[1]).fetch_sub(v, fm::memory_order_acquire);
  i[6] = ref<int>(i[2]).fetch_min(v, fm::memory_order_release);
  i[7] = ref<int>(i[3]).fetch_max(v, fm::memory_order_acq_rel);
  l[4] = ref<long long>(l[0]).fetch_add(v, fm::memory_order_seq_cst);
  l[5] = ref<long long>(l[1]).fetch_and(v, fm::memory_order_relaxed);
  l[6] = ref<long long>(l[2]).fetch_or(v, fm::memory_order_acquire);
  l[7] = ref<long long>(l[3]).fetch_xor(v, fm::memory_order_release);
  f[1] = ref<float>(f[0]).fetch_add(1.0f, fm::memory_order_acq_rel);
  d[1] = ref<double>(d[0]).fetch_add(1.0, fm::memory_order_relaxed);
  i[8] = ref<int>(i[0]).exchange(v, fm::memory_order_release);
}
// SM90-LABEL:   .entry cluster_updates(
// SM90:         atom.add.relaxed.cluster.u32
// SM90:         atom.add.acquire.cluster.u32
// SM90:         atom.min.release.cluster.s32
// SM90:         atom.max.acq_rel.cluster.s32
// SM90:         fence.sc.cluster
// SM90:         atom.add.acquire.cluster.u64
// SM90:         atom.and.relaxed.cluster.b64
// SM90:         atom.or.acquire.cluster.b64
// SM90:         atom.xor.release.cluster.b64
// SM90:         atom.add.acq_rel.cluster.f32
// SM90:         atom.add.relaxed.cluster.f64
// SM90:         atom.exch.release.cluster.b32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret

extern "C" FERMATA_KERNEL cluster_exchanges(unsigned* p, unsigned e) {
  bool done = ref<unsigned>(p[0]).compare_exchange_strong(e, 1u, fm::memory_order_relaxed, fm::memory_order_relaxed);
  done |= ref<unsigned>(p[1]).compare_exchange_strong(e, 2u, fm::memory_order_release, fm::memory_order_acquire);
  done |= ref<unsigned>(p[2]).compare_exchange_weak(e, 3u, fm::memory_order_relaxed, fm::memory_order_acquire);
  done |= ref<unsigned>(p[3]).compare_exchange_weak(e, 4u, fm::memory_order_release, fm::memory_order_relaxed);
  done |= ref<unsigned>(p[4]).compare_exchange_weak(e, 5u, fm::memory_order_relaxed, fm::memory_order_seq_cst);
  p[5] = e + done;
}
// Both orders are honoured: the instruction has the two together.
// SM90-LABEL:   .entry cluster_exchanges(
// SM90:         atom.cas.relaxed.cluster.b32
// SM90:         atom.cas.acq_rel.cluster.b32
// SM90:         atom.cas.acquire.cluster.b32
// SM90:         atom.cas.release.cluster.b32
// SM90:         fence.sc.cluster
// SM90:         atom.cas.acquire.cluster.b32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret

// One and two bytes: through the word, the order in fences outside the loop.
extern "C" FERMATA_KERNEL cluster_narrow(unsigned char* p, unsigned short* q) {
  p[4] = ref<unsigned char>(*p).fetch_add(1, fm::memory_order_acq_rel);
  q[4] = ref<unsigned short>(*q).fetch_or(1, fm::memory_order_release);
}
// SM90-LABEL:   .entry cluster_narrow(
// SM90:         fence.acq_rel.cluster
// SM90:         atom.cas.relaxed.cluster.b32
// SM90:         fence.acq_rel.cluster
// SM90:         fence.acq_rel.cluster
// SM90:         atom.or.relaxed.cluster.b32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret

extern "C" FERMATA_KERNEL cluster_wait(unsigned* p, unsigned* data) {
  ref<unsigned>(*p).wait(0, fm::memory_order_acquire);
  *data = *p;
}
// SM90-LABEL:   .entry cluster_wait(
// SM90:         ld.acquire.cluster.b32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret

extern "C" FERMATA_KERNEL cluster_wrap(unsigned* p, unsigned limit) {
  p[2] = ref<unsigned>(p[0]).fetch_inc_wrap(limit, fm::memory_order_acq_rel);
  p[3] = ref<unsigned>(p[1]).fetch_dec_wrap(limit, fm::memory_order_seq_cst);
}
// SM90-LABEL:   .entry cluster_wrap(
// SM90:         atom.inc.acq_rel.cluster.u32
// SM90:         fence.sc.cluster
// SM90:         atom.dec.acquire.cluster.u32
// SM90-NOT:     {{fence|\.gpu|\.sys}}
// SM90:         ret
// AMD-LABEL:    {{^}}cluster_wrap:
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          global_atomic_inc
// AMD:          global_atomic_dec
