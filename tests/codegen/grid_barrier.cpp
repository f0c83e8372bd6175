// Grid barriers: block barrier, one leader's release, relaxed polls, one acquire, block barrier.
#include <fermata/grid.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

// Where somebody has measured it, it was at these numbers of blocks; what was best there holds for the numbers around,
// up to where that of the next begins.
constexpr bool as_measured(unsigned from, unsigned to, unsigned at) {
  return fm::backend::grid_barrier_first_poll(from) == fm::backend::grid_barrier_first_poll(at) &&
         fm::backend::grid_barrier_first_poll(to) == fm::backend::grid_barrier_first_poll(at) &&
         fm::backend::grid_barrier_is_striped(from) == fm::backend::grid_barrier_is_striped(at) &&
         fm::backend::grid_barrier_is_striped(to) == fm::backend::grid_barrier_is_striped(at) &&
         fm::backend::striped_grid_barrier_first_poll(from) == fm::backend::striped_grid_barrier_first_poll(at) &&
         fm::backend::striped_grid_barrier_first_poll(to) == fm::backend::striped_grid_barrier_first_poll(at);
}
static_assert(fm::backend::grid_barrier_first_poll(1) == 0 && as_measured(2, 8, 8) && as_measured(9, 24, 16) &&
              as_measured(25, 48, 33) && as_measured(49, 112, 96) && as_measured(113, 164, 132) &&
              as_measured(165, 240, 198) && as_measured(241, 280, 264) && as_measured(281, 345, 330) &&
              as_measured(346, 399, 396) && as_measured(400, 700, 528) && as_measured(701, 800, 792) &&
              as_measured(801, 1000, 924) && as_measured(1001, 1056, 1056));

// What storage for all blocks that can be resident counts with: what the vendors say is the most of a multiprocessor.
extern "C" FERMATA_KERNEL most_blocks(unsigned* out) { *out = fm::backend::most_blocks_a_multiprocessor; }
// SM90-LABEL:   .entry most_blocks(
// SM90:         mov.{{[ub]}}32 {{%r[0-9]+}}, 32;
// AMD-LABEL:    {{^}}most_blocks:
// GFX9:         v_mov_b32_e32 {{v[0-9]+}}, 64
// GFX1100:      v_{{(dual_)?}}mov_b32{{(_e32)?}} {{v[0-9]+}}, 64
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_monotonic(unsigned* data, fm::grid_barrier<fm::monotonic> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// Without a deadline nothing reads the wall clock.
// SM90-LABEL:   .entry barrier_monotonic(
// SM90-NOT:     globaltimer
// SM90:         bar.sync
// The leader is lane 0 and the thread of rank 0.
// SM90:         add.u32 [[COUNT:%r[0-9]+]], {{%r[0-9]+}}, 1;
// SM90:         mov.u32 [[LANE:%r[0-9]+]], %laneid;
// SM90:         setp.ne.s32 [[OTHER_LANE:%p[0-9]+]], [[LANE]], 0;
// SM90:         setp.ne.s32 [[OTHER_RANK:%p[0-9]+]], [[COUNT]], 1;
// SM90:         or.pred [[OTHER:%p[0-9]+]],
// SM90-NEXT:    @[[OTHER]] bra
// What the arrival returns is not waited for in front of the first poll.
// SM90:         atom.add.release.gpu.u32 [[OLD:%r[0-9]+]],
// SM90-NOT:     {{globaltimer|bra.uni}}
// SM90-NOT:     [[OLD]]
// SM90:         ld.{{relaxed|acquire}}.gpu.b32
// SM90:         xor.b32 {{.*}}[[OLD]]
// SM90-NOT:     globaltimer
// SM90:         bar.sync
// Nor does ptxas add up what it takes for the arrivals of many lanes.
// SASS90-LABEL: {{^}}barrier_monotonic:
// SASS90-NOT:   shfl
// SASS90:       end
// AMD-LABEL:    {{^}}barrier_monotonic:
// AMD:          global_store_
// GFX942:       v_cmp_eq_u32_e32 vcc, 0, {{v[0-9]+$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// AMD:          s_sleep
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX942-NOT:   buffer_
// GFX942:       s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      global_
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

// Nor in a kernel that uses its rank, where the compiler likes to make one comparison of the leader's two.
extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_ranked(unsigned* data, fm::grid_barrier<fm::monotonic> barrier) {
  unsigned const rank = fm::this_grid().thread_rank();
  data[rank] = rank;
  barrier.sync();
  data[rank + 256] = data[rank ^ 1];
}
// What its block adds is computed in front of the barrier, where there is time.
// SM90-LABEL:   .entry barrier_ranked(
// SM90:         selp.b32 [[AMOUNT:%r[0-9]+]], {{.*}}, 1,
// SM90:         bar.sync
// SM90:         atom.add.release.gpu.u32 {{.*}},[[AMOUNT]];
// SASS90-LABEL: {{^}}barrier_ranked:
// SASS90-NOT:   shfl
// SASS90:       end

// The storage's measurement waits for what comes back before it reads the clock again: by a branch, which ptxas cannot
// move the second reading over.
extern "C" FERMATA_KERNEL barrier_round_trip(std::uint32_t* word, std::uint32_t* took) {
  *took = fm::detail::round_trip(fm::device_atomic_ref<std::uint32_t>(*word));
}
// SM90-LABEL:   .entry barrier_round_trip(
// SM90:         mov.u64 {{.*}}clock64
// SM90:         atom.add.relaxed.gpu.u32 [[BACK:%r[0-9]+]],
// SM90-NOT:     clock64
// SM90:         setp.{{eq|ne}}.{{[su]}}32 [[SEEN:%p[0-9]+]], [[BACK]], 0;
// SM90:         @[[SEEN]] bra
// SM90:         mov.u64 {{.*}}clock64

// An arrival at one of four words, and four threads that wait, each for one, with an acquire of its own; what the
// leader's arrival returned goes around its wave.
extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_striped(unsigned* data, fm::grid_barrier<fm::striped> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// SM90-LABEL:   .entry barrier_striped(
// SM90-NOT:     globaltimer
// SM90:         bar.sync
// SM90-NOT:     {{ld|st}}.global
// SM90:         atom.add.release.gpu.u32
// SM90:         atom.add.release.gpu.u32
// SM90:         shfl.sync.idx.b32
// SM90-NOT:     atom
// SM90:         ld.acquire.gpu.b32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_striped:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat|buffer)_}}
// AMD:          s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// AMD-NOT:      {{(global|flat)_}}
// GFX9:         s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_}}
// AMD:          global_atomic_add
// GFX942:       buffer_wbl2 sc1{{$}}
// AMD-NOT:      {{(global|flat)_}}
// GFX9:         s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_}}
// AMD:          global_atomic_add
// GFX942-DAG:   buffer_inv sc1{{$}}
// GFX90A-DAG:   buffer_wbinvl1_vol
// GFX1100-DAG:  buffer_gl1_inv
// AMD-DAG:      s_sleep
// GFX942-DAG:   global_load_dword {{.*}} sc1{{$}}
// GFX90A-DAG:   global_load_dword {{.*}} glc{{$}}
// GFX1100-DAG:  global_load_b32 {{.*}} glc{{$}}
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256)
    barrier_central(unsigned* data, fm::grid_barrier<fm::central_generation> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// The last arriver acquires what the others released before it publishes the new generation.
// SM90-LABEL:   .entry barrier_central(
// SM90:         bar.sync
// SM90:         atom.add.acq_rel.gpu.u32
// SM90:         atom.add.release.gpu.u32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_central:
// AMD:          s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NOT:   {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// GFX942:       buffer_inv sc1{{$}}
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942:       global_atomic_add
// GFX942:       buffer_inv sc1{{$}}
// AMD:          s_barrier
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_cooperative(unsigned* data, fm::grid_barrier<fm::cooperative> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// On AMD the leader's release, which waits, stands in front of the vendor's barrier, and an acquire behind it.
// SM90-LABEL:   .entry barrier_cooperative(
// SM90:         {{bar(rier)?}}.sync
// IR-LABEL:     @barrier_cooperative(
// IR:           [[LEADS:%[0-9]+]] = icmp eq i32 {{%[0-9]+}}, 0
// IR:           call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR-NEXT:      call void @llvm.amdgcn.s.barrier()
// IR:           br i1 [[LEADS]], label %[[RELEASE:[0-9]+]],
// IR:           {{^}}[[RELEASE]]:
// IR-NEXT:      fence syncscope("agent") release
// IR-NEXT:      call void @llvm.amdgcn.s.waitcnt(i32 3952)
// IR:           call void @llvm.amdgcn.s.barrier()
// IR:           {{call void @llvm.amdgcn.ds.gws.barrier|load atomic}}
// IR:           br i1 [[LEADS]], label %[[ACQUIRE:[0-9]+]],
// IR:           {{^}}[[ACQUIRE]]:
// IR-NEXT:      fence syncscope("agent") acquire
// IR:           call void @llvm.amdgcn.s.barrier()
// AMD-LABEL:    {{^}}barrier_cooperative:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD:          s_barrier
// GFX942:       buffer_inv sc1{{$}}
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_sense(unsigned* data, fm::grid_barrier<fm::sense> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// SM90-LABEL:   .entry barrier_sense(
// SM90-NOT:     {{ld\.(relaxed|acquire)|globaltimer}}
// SM90:         bar.sync
// SM90:         atom.add.release.gpu.u32
// SM90-NOT:     {{(atom|red|st|fence)\.|globaltimer}}
// SM90:         ld.acquire.gpu.b32
// SM90-NOT:     {{(atom|red|st|fence)\.|globaltimer}}
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_sense:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_(store|load)}}
// AMD:          global_atomic_add
// AMD:          s_sleep
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX942-NOT:   buffer_
// GFX942:       s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{global_|buffer_(inv|wb|gl1)}}
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256)
    barrier_gather_scatter(unsigned* data, fm::grid_barrier<fm::gather_scatter> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// No read-modify-write. The slot is stored releasing. Of the two waits, in whichever order the compiler puts them, one
// is for `go` and one for the slots; each polls relaxed and acquires once. Behind the gathering block's barrier, `go`
// is stored, releasing.
// SM90-LABEL:   .entry barrier_gather_scatter(
// SM90-NOT:     {{(atom|red)\.}}
// SM90:         ld.relaxed.gpu.b32
// SM90:         bar.sync
// SM90-NOT:     {{(atom|red)\.}}
// SM90:         st.release.gpu.b32
// SM90-NOT:     {{(atom|red|fence|st)\.}}
// SM90:         ld.relaxed.gpu.b32
// SM90:         ld.relaxed.gpu.b32
// SM90-NOT:     {{(atom|red|fence|ld|st)\.}}
// SM90:         fence.acq_rel.gpu
// SM90-NOT:     {{(atom|red|fence|ld|st)\.}}
// SM90:         bar.sync
// SM90-NOT:     {{(atom|red|fence|ld|st)\.}}
// SM90:         st.release.gpu.b32
// SM90-NOT:     {{(atom|red|fence|st)\.}}
// SM90:         ld.acquire.gpu.b32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_gather_scatter:
// AMD:          global_store_
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9:         s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      global_atomic
// AMD:          global_store_
// GFX942-SAME:  sc1{{$}}
// AMD-NOT:      {{global_(atomic|store)|buffer_(wb|inv|gl1)}}
// AMD:          s_sleep
// AMD-NEXT:     global_load_
// GFX942-SAME:  sc1{{$}}
// GFX90A-SAME:  glc{{$}}
// GFX1100-SAME: glc{{$}}
// AMD-NOT:      {{global_(atomic|store)|buffer_}}
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{global_|buffer_(wb|inv|gl1)}}
// AMD:          s_barrier
// AMD-NOT:      {{global_(atomic|store)|buffer_(wb|inv|gl1)}}
// AMD:          s_sleep
// AMD-NEXT:     global_load_
// GFX942-SAME:  sc1{{$}}
// GFX90A-SAME:  glc{{$}}
// GFX1100-SAME: glc{{$}}
// AMD-NOT:      {{global_(atomic|store)|buffer_}}
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{global_|buffer_(wb|inv|gl1)}}
// AMD:          s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(atomic|load)|buffer_(wb|inv|gl1)}}
// AMD:          global_store_
// GFX942-SAME:  sc1{{$}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_all_to_all(unsigned* data, fm::grid_barrier<fm::all_to_all> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// No read-modify-write; one releasing store; relaxed polls; one acquire by each thread that polled.
// SM90-LABEL:   .entry barrier_all_to_all(
// SM90-NOT:     {{(atom|red|fence)\.}}
// SM90:         ld.relaxed.gpu.b32
// SM90:         ld.relaxed.gpu.b32
// SM90:         bar.sync
// SM90-NOT:     {{(atom|red|fence)\.}}
// SM90:         st.release.gpu.b32
// SM90-NOT:     {{(atom|red|fence|st)\.}}
// SM90:         ld.relaxed.gpu.b32
// SM90-NOT:     {{(atom|red|fence|ld|st)\.}}
// SM90:         fence.acq_rel.gpu
// SM90-NOT:     {{(atom|red|fence|ld|st)\.}}
// SM90:         bar.sync
// SM90-NOT:     {{(atom|red|fence)\.}}
// SM90:         st.relaxed.gpu.b32
// AMD-LABEL:    {{^}}barrier_all_to_all:
// AMD:          global_store_
// GFX942:       global_load_dword {{.*}} sc1{{$}}
// GFX942:       global_load_dword {{.*}} sc1{{$}}
// GFX90A:       global_load_dword {{.*}} glc{{$}}
// GFX90A:       global_load_dword {{.*}} glc{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      {{global_(atomic|load)}}
// AMD:          global_store_
// GFX942-SAME:  sc1{{$}}
// AMD-NOT:      {{global_(atomic|store)|buffer_(wb|inv|gl1)}}
// AMD:          s_sleep
// AMD-NEXT:     global_load_
// GFX942-SAME:  sc1{{$}}
// GFX90A-SAME:  glc{{$}}
// GFX1100-SAME: glc{{$}}
// AMD-NOT:      {{global_|buffer_}}
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{global_|buffer_(wb|inv|gl1)}}
// AMD:          s_barrier
// AMD-NOT:      {{global_(atomic|load)|buffer_(wb|inv|gl1)}}
// AMD:          global_store_
// GFX942-SAME:  sc1{{$}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_hierarchical(unsigned* data, fm::grid_barrier<fm::hierarchical> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// The path without clusters: `go` is sampled before the arrival; arrivals of both levels release, what is between them
// acquires; the last of all advances every `go`. The path with clusters, for NVIDIA alone: the leader between two
// barriers of the cluster, an arrival that releases and a wait that acquires.
// SM90-LABEL:   .entry barrier_hierarchical(
// SM90:         barrier.cluster.arrive.release
// SM90:         barrier.cluster.wait.acquire
// SM90-NOT:     {{[[:space:]](bar|fence)\.}}
// SM90:         atom.add.release.gpu.u32
// SM90-NOT:     {{[[:space:]](bar|fence)\.}}
// SM90:         ld.acquire.gpu.b32
// SM90-NOT:     {{[[:space:]](bar|fence)\.}}
// SM90:         barrier.cluster.arrive.release
// SM90:         barrier.cluster.wait.acquire
// SM90:         ld.relaxed.gpu.b32
// SM90:         bar.sync
// SM90:         atom.add.release.gpu.u32
// SM90:         fence.acq_rel.gpu
// SM90-NOT:     {{(st|ld)\.}}
// SM90:         atom.add.release.gpu.u32
// SM90-DAG:     fence.acq_rel.gpu
// SM90-DAG:     {{atom|red}}.add.relaxed.gpu.u32
// SM90-DAG:     ld.acquire.gpu.b32
// AMD-LABEL:    {{^}}barrier_hierarchical:
// AMD:          global_store_
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       s_waitcnt vmcnt(0)
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// GFX942:       buffer_inv sc1{{$}}
// GFX942-NEXT:  buffer_wbl2 sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX9-NEXT:    s_waitcnt vmcnt(0)
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_add
// AMD:          s_waitcnt vmcnt(0)
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_add
// AMD:          s_sleep
// AMD-NEXT:     global_load_
// GFX942-SAME:  sc1{{$}}
// GFX90A-SAME:  glc{{$}}
// GFX1100-SAME: glc{{$}}
// AMD-NOT:      {{global_|buffer_}}
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{global_|buffer_(wb|inv|gl1)}}
// AMD:          s_barrier
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) barrier_combining(unsigned* data, fm::grid_barrier<fm::combining> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// The number of the crossing is read before the arrival. What is pending is taken by an exchange that acquires, and
// carried on by an addition that releases; the one who is last acquires and releases by one fence before it tells every
// chiplet. On gfx942 the place of an arrival and of a wait is that of the XCD.
// SM90-LABEL:   .entry barrier_combining(
// SM90:         ld.relaxed.gpu.b32
// SM90:         bar.sync
// SM90:         atom.add.release.gpu.u32
// SM90-NOT:     {{[[:space:]](fence|atom|st|ld)\.}}
// SM90:         atom.exch.acquire.gpu.b32
// SM90-NOT:     {{[[:space:]](fence|atom|st|ld)\.}}
// SM90:         atom.add.release.gpu.u32
// SM90-DAG:     fence.acq_rel.gpu
// SM90-DAG:     st.relaxed.gpu.b32
// SM90-DAG:     ld.acquire.gpu.b32
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_combining:
// AMD:          global_store_
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD:          s_barrier
// GFX942:       s_getreg_b32 {{s[0-9]+}}, hwreg(HW_REG_XCC_ID, 0, 4)
// GFX90A-NOT:   s_getreg
// GFX1100-NOT:  s_getreg
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX9:         s_waitcnt vmcnt(0)
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_add
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_{{swap|swap_b32}}
// AMD:          s_waitcnt vmcnt(0)
// GFX942:       buffer_inv sc1{{$}}
// GFX942-NEXT:  buffer_wbl2 sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      global_{{store|load}}
// AMD:          global_atomic_add
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX942-NEXT:  buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_store_
// GFX942-SAME:  sc1{{$}}
// GFX942:       s_getreg_b32 {{s[0-9]+}}, hwreg(HW_REG_XCC_ID, 0, 4)
// AMD:          global_load_
// GFX942-SAME:  sc1{{$}}
// GFX90A-SAME:  glc{{$}}
// GFX1100-SAME: glc{{$}}
// AMD:          s_sleep
// AMD-NEXT:     global_load_
// GFX942-SAME:  sc1{{$}}
// AMD-NOT:      global_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          s_barrier
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256)
    barrier_deadline(unsigned* data, fm::grid_barrier<fm::monotonic, fm::with_deadline> barrier) {
  data[threadIdx.x] = 1;
  barrier.sync();
  data[threadIdx.x + 256] = 2;
}
// The slot is stored before the arrival. A poll that fails looks at the clock; a deadline that is missed is reported to
// the CPU, complete last and releasing, and ends in a trap. The poll that ends the wait is acquired.
// SM90-LABEL:   .entry barrier_deadline(
// SM90:         bar.sync
// SM90:         st.relaxed.gpu.b32
// SM90:         atom.add.release.gpu.u32
// SM90:         globaltimer
// SM90:         ld.relaxed.gpu.b32
// SM90:         globaltimer
// SM90:         st.relaxed.sys.b32
// SM90:         st.release.sys.b32
// SM90:         fence.sc.sys
// SM90:         trap
// SM90:         fence.acq_rel.gpu
// SM90:         bar.sync
// AMD-LABEL:    {{^}}barrier_deadline:
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          global_atomic_add
// AMD:          {{s_memrealtime|s_sendmsg_rtn_b64}}
// AMD:          global_load_
// AMD:          {{s_memrealtime|s_sendmsg_rtn_b64}}
