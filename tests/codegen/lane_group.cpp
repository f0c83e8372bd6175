// Groups of some lanes: the mask goes where the wave's is, and ranks cost what they must.
#include <fermata/kernel.hpp>
#include <fermata/wave.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL group_here(unsigned* out) {
  auto const group = fm::active_lanes();
  out[threadIdx.x] = group.size() * 64 + group.thread_rank();
}
// SM90-LABEL:   .entry group_here(
// SM90:         activemask.b32
// SM90:         popc.b32
// SM90:         popc.b32
// SM90:         ret;
// AMD-LABEL:    {{^}}group_here:
// GFX9:         s_bcnt1_i32_b64 {{s[0-9]+}}, exec
// GFX1100:      s_bcnt1_i32_b32 {{s[0-9]+}}, exec_lo
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL group_votes(unsigned const* in, unsigned bits, unsigned* out) {
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(bits));
  if (group.any(in[threadIdx.x] > 3)) out[0] = 1;
  if (group.all(in[threadIdx.x] > 3)) out[1] = 1;
}
// SM90-LABEL:   .entry group_votes(
// SM90:         ld.param.u32 [[MASK:%r[0-9]+]], [group_votes_param_1];
// SM90:         vote.sync.any.pred {{.*}}, [[MASK]];
// SM90:         vote.sync.all.pred {{.*}}, [[MASK]];
// AMD-LABEL:    {{^}}group_votes:
// AMD:          v_cmp_
// AMD:          s_and_b
// AMD:          s_endpgm

// A set of lanes becomes a set of ranks in a loop over the lanes of the set, none if the group begins at lane 0.
extern "C" FERMATA_KERNEL group_ballot(unsigned const* in, unsigned bits, unsigned long long* out) {
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(bits));
  out[threadIdx.x] = group.ballot(in[threadIdx.x] > 3).to_uint64();
}
// SM90-LABEL:   .entry group_ballot(
// SM90:         vote.sync.ballot.b32
// SM90:         popc.b32
// SM90:         ret;
// AMD-LABEL:    {{^}}group_ballot:
// AMD:          v_cmp_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL group_shfl(unsigned const* in, unsigned bits, unsigned* out) {
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(bits));
  out[threadIdx.x] = group.shfl(in[threadIdx.x], 3);
}
// SM90-LABEL:   .entry group_shfl(
// SM90-COUNT-4: popc.b32
// SM90:         shfl.sync.idx.b32
// SM90-NOT:     shfl
// SM90:         ret;
// AMD-LABEL:    {{^}}group_shfl:
// AMD:          ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL group_sync(unsigned* p, unsigned bits) {
  FERMATA_SHARED(slots, unsigned[64]);
  slots[threadIdx.x] = p[threadIdx.x];
  fm::this_wave().subset(fm::lane_mask::from_uint64(bits)).sync();
  p[threadIdx.x] = slots[threadIdx.x ^ 1];
}
// SM90-LABEL:   .entry group_sync(
// SM90:         ld.param.u32 [[MASK:%r[0-9]+]], [group_sync_param_1];
// SM90:         st.shared
// SM90:         bar.warp.sync [[MASK]];
// SM90:         ld.shared
// AMD-LABEL:    {{^}}group_sync:
// GFX9:         ds_write_b32
// GFX1100:      ds_store_b32
// AMD:          ; wave barrier
// GFX9:         ds_read_b32
// GFX1100:      ds_load_b32
// AMD:          s_endpgm
// IR-LABEL:     @group_sync(
// IR:           fence syncscope("wavefront") release
// IR-NEXT:      call void @llvm.amdgcn.wave.barrier()
// IR-NEXT:      fence syncscope("wavefront") acquire

extern "C" FERMATA_KERNEL group_reduce(unsigned const* in, unsigned bits, unsigned* out) {
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(bits));
  out[threadIdx.x] = group.reduce(in[threadIdx.x], fm::plus{});
}
// SM90-LABEL:   .entry group_reduce(
// SM90:         ld.param.u32 [[MASK:%r[0-9]+]], [group_reduce_param_1];
// SM90:         redux.sync.add.{{[su]}}32 {{.*}}, [[MASK]];
// SM90-NOT:     shfl
// SM90:         ret;
// AMD-LABEL:    {{^}}group_reduce:
// AMD:          ds_bpermute_b32
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL group_match(unsigned const* in, unsigned bits, unsigned long long* out) {
  auto const group = fm::this_wave().subset(fm::lane_mask::from_uint64(bits));
  out[threadIdx.x] = group.match_any(in[threadIdx.x]).to_uint64() + group.match_all(in[threadIdx.x]);
}
// SM90-LABEL:   .entry group_match(
// SM90:         match.any.sync.b32
// SM90:         match.all.sync.b32
// SM90:         ret;
// AMD-LABEL:    {{^}}group_match:
// AMD:          v_readfirstlane_b32
// AMD:          s_cbranch_execnz
// All look at the first lane of the set, whose address is in bytes.
// GFX942:       s_ff1_i32_b64 [[FIRST:s[0-9]+]],
// GFX942-NEXT:  s_lshl_b32 {{s[0-9]+}}, [[FIRST]], 2{{$}}
// GFX942:       ds_bpermute_b32 {{v[0-9]+}}, {{v[0-9]+}}, {{v[0-9]+$}}
// GFX90A:       ds_bpermute_b32
// GFX1100:      ds_bpermute_b32
// AMD:          s_endpgm
