// Votes, shuffles and reductions: the width of the target, compiler builtins, no calls.
#include <fermata/kernel.hpp>
#include <fermata/wave.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL wave_size(unsigned* out) { *out = fm::wave::size(); }
// SM90-LABEL:   .entry wave_size(
// SM90:         mov.{{[ub]}}32 {{.*}}, 32;
// AMD-LABEL:    {{^}}wave_size:
// GFX9:         v_mov_b32_e32 {{v[0-9]+}}, 64
// GFX1100:      {{v_(dual_)?mov_b32(_e32)?}} {{.*}}, 32

extern "C" FERMATA_KERNEL wave_lane(unsigned* out) { out[threadIdx.x] = fm::this_wave().lane(); }
// SM90-LABEL:   .entry wave_lane(
// SM90:         %laneid
// AMD-LABEL:    {{^}}wave_lane:
// AMD:          v_mbcnt_lo_u32_b32{{(_e64)?}} [[LOW:v[0-9]+]], -1, 0{{$}}
// GFX9:         v_mbcnt_hi_u32_b32{{(_e64)?}} {{v[0-9]+}}, -1, [[LOW]]

// In a whole wave and in a partial one: what is left of the block, and at most the width.
extern "C" FERMATA_KERNEL wave_live(unsigned* out) { out[threadIdx.x] = fm::this_wave().live(); }
// SM90-LABEL:   .entry wave_live(
// SM90:         and.b32 {{.*}}, {{-32|1073741792}};
// SM90:         min.u32 {{.*}}, 32;
// AMD-LABEL:    {{^}}wave_live:
// GFX9:         v_and_b32_e32 {{.*}}, 0x3fffffc0,
// GFX9:         v_min_u32_e32 {{.*}}, 64,
// GFX1100:      v_and_b32_e32 {{.*}}, 0x3fffffe0,
// GFX1100:      v_min_u32_e32 {{.*}}, 32,

extern "C" FERMATA_KERNEL wave_ballot(unsigned const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::this_wave().ballot(in[threadIdx.x] > 3).to_uint64();
}
// SM90-LABEL:   .entry wave_ballot(
// SM90:         vote.sync.ballot.b32
// AMD-LABEL:    {{^}}wave_ballot:
// GFX9:         v_cmp_lt_u32_e{{32|64}} {{vcc|s\[[0-9:]+\]}}, 3,
// GFX9:         global_store_dwordx2
// GFX1100:      v_cmp_lt_u32_e{{32|64}} {{vcc_lo|s[0-9]+}}, 3,
// GFX1100:      global_store_b64

extern "C" FERMATA_KERNEL wave_first(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().ballot(in[threadIdx.x] > 3).first();
}
// SM90-LABEL:   .entry wave_first(
// SM90:         brev.b32 [[MIRRORED:%r[0-9]+]],
// SM90-NEXT:    bfind.shiftamt.u32 [[FIRST:%r[0-9]+]], [[MIRRORED]];
// SM90:         st.global.u32 {{.*}}, [[FIRST]];
// SM90:         ret;

extern "C" FERMATA_KERNEL wave_last(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().ballot(in[threadIdx.x] > 3).last();
}
// SM90-LABEL:   .entry wave_last(
// SM90:         clz.b32 [[ZEROS:%r[0-9]+]],
// SM90ONLY:     mov.u32 [[TOP:%r[0-9]+]], 31;
// SM90ONLY:     sub.s32 {{.*}}, [[TOP]], [[ZEROS]];
// SM100:        sub.s32 {{.*}}, 31, [[ZEROS]];
// AMD-LABEL:    {{^}}wave_last:
// GFX9:         s_flbit_i32_b64 [[ZEROS:s[0-9]+]],
// GFX9:         s_xor_b32 {{s[0-9]+}}, [[ZEROS]], 63
// GFX1100:      s_clz_i32_u32 [[ZEROS:s[0-9]+]],
// GFX1100:      s_xor_b32 {{s[0-9]+}}, [[ZEROS]], 31

extern "C" FERMATA_KERNEL wave_any_all(unsigned const* in, unsigned* out) {
  if (fm::this_wave().any(in[threadIdx.x] > 3)) out[0] = 1;
  if (fm::this_wave().all(in[threadIdx.x] > 3)) out[1] = 1;
}
// SM90-LABEL:   .entry wave_any_all(
// SM90:         vote.sync.any
// SM90:         vote.sync.all
// AMD-LABEL:    {{^}}wave_any_all:
// AMD:          v_cmp_
// AMD:          s_cbranch_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_shfl(unsigned const* in, unsigned source, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().shfl(in[threadIdx.x], source ^ threadIdx.x);
}
// SM90-LABEL:   .entry wave_shfl(
// SM90:         shfl.sync.idx.b32
// AMD-LABEL:    {{^}}wave_shfl:
// AMD:          ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_shfl_64(double const* in, double* out) {
  out[threadIdx.x] = fm::this_wave().shfl_xor(in[threadIdx.x], 5);
}
// SM90-LABEL:   .entry wave_shfl_64(
// SM90-COUNT-2: shfl.sync.bfly.b32
// AMD-LABEL:    {{^}}wave_shfl_64:
// AMD-COUNT-2:  ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

// Beyond the end of the wave a lane keeps its own value, which takes a select on AMD.
extern "C" FERMATA_KERNEL wave_shfl_up(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().shfl_up(in[threadIdx.x], 3);
}
// SM90-LABEL:   .entry wave_shfl_up(
// SM90:         shfl.sync.up.b32
// AMD-LABEL:    {{^}}wave_shfl_up:
// GFX942:       v_mbcnt_hi_u32_b32 [[LANE:v[0-9]+]],
// GFX942:       v_lshlrev_b32_e32 [[OWN:v[0-9]+]], 2, [[LANE]]
// GFX942:       v_add_u32_e32 {{v[0-9]+}}, -12, [[OWN]]
// GFX942:       v_cmp_lt_u32_e32 vcc, 2, [[LANE]]
// AMD:          v_cndmask_b32
// AMD:          ds_bpermute_b32

extern "C" FERMATA_KERNEL wave_shfl_down(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().shfl_down(in[threadIdx.x], 3);
}
// SM90-LABEL:   .entry wave_shfl_down(
// SM90:         shfl.sync.down.b32
// AMD-LABEL:    {{^}}wave_shfl_down:
// GFX942:       v_mbcnt_hi_u32_b32 [[LANE:v[0-9]+]],
// GFX942:       v_add_u32_e32 [[BEHIND:v[0-9]+]], 3, [[LANE]]
// GFX942:       v_cmp_gt_u32_e32 vcc, 64, [[BEHIND]]
// GFX942:       v_cndmask_b32_e32 [[SOURCE:v[0-9]+]], [[LANE]], [[BEHIND]], vcc
// GFX942:       v_lshlrev_b32_e32 [[ADDRESS:v[0-9]+]], 2, [[SOURCE]]
// GFX942:       ds_bpermute_b32 {{v[0-9]+}}, [[ADDRESS]],
// GFX90A:       v_cmp_gt_u32_e{{32|64}} {{vcc|s\[[0-9:]+\]}}, 64,
// GFX1100:      v_cmp_gt_u32_e{{32|64}} {{vcc_lo|s[0-9]+}}, 32,
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_broadcast(unsigned const* in, unsigned source, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().broadcast(in[threadIdx.x], source);
}
// SM90-LABEL:   .entry wave_broadcast(
// SM90:         shfl.sync.idx.b32
// AMD-LABEL:    {{^}}wave_broadcast:
// AMD-NOT:      ds_
// AMD:          v_readlane_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

// No instruction; what the lanes did before may not be moved behind it.
extern "C" FERMATA_KERNEL wave_sync(unsigned* p) {
  FERMATA_SHARED(slots, unsigned[64]);
  slots[threadIdx.x] = p[threadIdx.x];
  fm::this_wave().sync();
  p[threadIdx.x] = slots[threadIdx.x ^ 1];
}
// SM90-LABEL:   .entry wave_sync(
// SM90:         st.shared
// SM90:         bar.warp.sync
// SM90:         ld.shared
// AMD-LABEL:    {{^}}wave_sync:
// GFX9:         ds_write_b32
// GFX1100:      ds_store_b32
// AMD:          ; wave barrier
// GFX9:         ds_read_b32
// GFX1100:      ds_load_b32
// AMD-NOT:      s_barrier
// AMD:          s_endpgm
// IR-LABEL:     @wave_sync(
// IR:           fence syncscope("wavefront") release
// IR-NEXT:      call void @llvm.amdgcn.wave.barrier()
// IR-NEXT:      fence syncscope("wavefront") acquire

extern "C" FERMATA_KERNEL_BOUNDS(256) wave_reduce(float const* in, float* out) {
  out[threadIdx.x] = fm::this_wave().reduce(in[threadIdx.x], fm::plus{});
}
// Who is there is one question, and the loop for a partial wave is not unrolled. On AMD the value of the partner is an
// operand of the addition: that of another lane of the row, and then that of another row.
// SM90-LABEL:   .entry wave_reduce(
// SM90-NOT:     %ntid
// SM90:         vote.sync.ballot.b32
// SM90-COUNT-2: shfl.sync.idx.b32
// SM90-COUNT-5: shfl.sync.bfly.b32
// SM90-NOT:     shfl
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_reduce:
// GFX9:         s_cmp_eq_u64 exec, -1
// GFX1100:      s_cmp_eq_u32 exec_lo, -1
// GFX942:       s_bcnt1_i32_b64 [[LIVE:s[0-9]+]], exec
// GFX942-NOT:   {{s_(add|sub)}}
// GFX942:       v_cmp_gt_u32_e32 vcc, [[LIVE]],
// AMD-COUNT-2:  ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2] row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} quad_perm:[2,3,0,1] row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} row_half_mirror row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} row_mirror row_mask:0xf
// GFX9:         v_add_f32_dpp {{.*}} row_bcast:15 row_mask:0xf
// GFX9:         v_add_f32_dpp {{.*}} row_bcast:31 row_mask:0xf
// GFX9:         v_readlane_b32 {{.*}}, 63
// GFX1100:      v_permlanex16_b32 {{v[0-9]+}}, {{v[0-9]+}}, {{s[0-9]+}}, 0xfedcba98
// GFX1100:      v_add_f32
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_reduce_integer(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().reduce(in[threadIdx.x], fm::plus{});
}
// SM90-LABEL:   .entry wave_reduce_integer(
// SM90:         redux.sync.add
// On AMD the last lane of the scan has it, the last one that is there.
// AMD-LABEL:    {{^}}wave_reduce_integer:
// GFX9:         s_flbit_i32_b64 [[ZEROS:s[0-9]+]], exec
// GFX9:         s_xor_b32 [[LAST:s[0-9]+]], [[ZEROS]], 63
// GFX1100:      s_clz_i32_u32 [[ZEROS:s[0-9]+]], exec_lo
// GFX1100:      s_xor_b32 [[LAST:s[0-9]+]], [[ZEROS]], 31
// AMD-NOT:      {{ds_|s_cbranch}}
// AMD:          v_add_{{(nc_)?}}u32_dpp {{.*}} row_shr:1 row_mask:0xf
// AMD-NOT:      {{ds_|s_cbranch}}
// AMD:          v_readlane_b32 {{s[0-9]+}}, {{v[0-9]+}}, [[LAST]]
// AMD-NOT:      {{ds_|s_cbranch}}
// AMD:          s_endpgm

// By an operation of the user's, of which nobody knows what leaves a value as it is.
struct product {
  FERMATA_DEVICE unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};
extern "C" FERMATA_KERNEL wave_reduce_product(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().reduce(in[threadIdx.x], product{});
}
// GFX942-LABEL: {{^}}wave_reduce_product:
// GFX942:       v_mov_b32_dpp {{.*}} row_mirror row_mask:0xf bank_mask:0xf
// GFX942:       v_mov_b32_dpp {{.*}} row_bcast:15 row_mask:0xf bank_mask:0xf
// GFX942:       v_mov_b32_dpp {{.*}} row_bcast:31 row_mask:0xf bank_mask:0xf
// GFX942:       v_readlane_b32 {{.*}}, 63
// GFX942:       s_endpgm

// As CUB's WarpScanShfl: a shuffle and an addition under its predicate for each step.
extern "C" FERMATA_KERNEL wave_scan(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().inclusive_scan(in[threadIdx.x]);
}
// SM90-LABEL:   .entry wave_scan(
// SM90-NOT:     setp
// SM90-COUNT-5: shfl.sync.up.b32 {{.*}}|p, {{.*}}; @p add.u32
// SM90-NOT:     setp
// SM90:         ret;
// On AMD an addition a step, which takes a lane before in the row, and then the last one of a row before.
// AMD-LABEL:    {{^}}wave_scan:
// AMD-NOT:      ds_
// AMD:          v_add_{{(nc_)?}}u32_dpp {{.*}} row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
// AMD:          v_add_{{(nc_)?}}u32_dpp {{.*}} row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
// AMD:          v_add_{{(nc_)?}}u32_dpp {{.*}} row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
// AMD:          v_add_{{(nc_)?}}u32_dpp {{.*}} row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
// GFX9:         v_add_u32_dpp {{.*}} row_bcast:15 row_mask:0xa bank_mask:0xf{{$}}
// GFX9:         v_add_u32_dpp {{.*}} row_bcast:31 row_mask:0xc bank_mask:0xf{{$}}
// GFX1100:      v_permlanex16_b32 {{v[0-9]+}}, {{v[0-9]+}}, -1, -1
// GFX1100:      v_and_b32
// GFX1100:      v_add_nc_u32
// AMD-NOT:      ds_
// AMD:          s_endpgm

// Both words of a lane before, zero where there is none, and a sum of 64 bits.
extern "C" FERMATA_KERNEL wave_scan_64(unsigned long long const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::this_wave().inclusive_scan(in[threadIdx.x]);
}
// SM90-LABEL:   .entry wave_scan_64(
// SM90-COUNT-5: shfl.sync.up.b32 lo|p, {{.*}}shfl.sync.up.b32 hi|p, {{.*}}@p add.u64
// SM90-NOT:     setp
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_scan_64:
// AMD-NOT:      ds_
// GFX9-COUNT-2: v_mov_b32_dpp {{.*}} row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
// GFX9-COUNT-2: v_mov_b32_dpp {{.*}} row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
// GFX1100:      dpp {{.*}} row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
// GFX1100:      dpp {{.*}} row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
// GFX9-COUNT-2: v_mov_b32_dpp {{.*}} row_bcast:15 row_mask:0xa bank_mask:0xf{{$}}
// GFX9-COUNT-2: v_mov_b32_dpp {{.*}} row_bcast:31 row_mask:0xc bank_mask:0xf{{$}}
// GFX1100-COUNT-2: v_permlanex16_b32 {{v[0-9]+}}, {{v[0-9]+}}, -1, -1
// AMD-NOT:      ds_
// AMD:          s_endpgm

// The caller's own value is taken off again: no shuffle more.
extern "C" FERMATA_KERNEL wave_exclusive_sum(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().exclusive_scan(in[threadIdx.x]);
}
// SM90-LABEL:   .entry wave_exclusive_sum(
// SM90-COUNT-5: shfl.sync.up.b32
// SM90-NOT:     shfl.sync
// SM90:         sub.s32
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_exclusive_sum:
// AMD-NOT:      ds_
// AMD:          row_shr:8
// AMD-NOT:      ds_
// AMD:          v_sub
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_scan_double(double const* in, double* out) {
  out[threadIdx.x] = fm::this_wave().inclusive_scan(in[threadIdx.x]);
}
// SM90-LABEL:   .entry wave_scan_double(
// SM90-COUNT-5: shfl.sync.up.b32 lo|p, {{.*}}shfl.sync.up.b32 hi|p, {{.*}}@p add.f64
// SM90-NOT:     setp
// SM90:         ret;
// In the order of the other backends, which rows are not.
// AMD-LABEL:    {{^}}wave_scan_double:
// GFX942:       v_mbcnt_hi_u32_b32 [[LANE:v[0-9]+]],
// GFX942:       v_lshlrev_b32_e32 [[OWN:v[0-9]+]], 2, [[LANE]]
// GFX942:       v_add_u32_e32 [[BEFORE:v[0-9]+]], -4, [[OWN]]
// GFX942:       v_cmp_eq_u32_e32 vcc, 0, [[LANE]]
// GFX9-COUNT-12: ds_bpermute_b32
// GFX1100-COUNT-10: ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_scan_maximum(int const* in, int* out) {
  out[threadIdx.x] = fm::this_wave().inclusive_scan(in[threadIdx.x], fm::maximum{});
}
// SM90-LABEL:   .entry wave_scan_maximum(
// SM90:         and.b32 [[RANK:%r[0-9]+]], {{%r[0-9]+}}, 31;
// SM90:         shfl.sync.up.b32
// SM90:         setp.eq.s32 {{%p[0-9]+}}, [[RANK]], 0;
// SM90-COUNT-4: shfl.sync.up.b32
// SM90:         setp.lt.u32 {{%p[0-9]+}}, [[RANK]], 16;
// SM90-NOT:     shfl.sync
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_scan_maximum:
// AMD-NOT:      ds_
// AMD:          v_max_i32_dpp {{.*}} row_shr:1 row_mask:0xf
// AMD:          v_max_i32_dpp {{.*}} row_shr:8 row_mask:0xf
// GFX9:         v_max_i32_dpp {{.*}} row_bcast:15 row_mask:0xa
// GFX9:         v_max_i32_dpp {{.*}} row_bcast:31 row_mask:0xc
// GFX1100:      v_permlanex16_b32 {{v[0-9]+}}, {{v[0-9]+}}, -1, -1
// GFX1100:      v_cndmask_b32{{.*}} 0x80000000,
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wave_match_any(unsigned const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::this_wave().match_any(in[threadIdx.x]).to_uint64();
}
// SM90-LABEL:   .entry wave_match_any(
// SM90:         match.any.sync.b32
// SM90-NOT:     match
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_match_any:
// AMD:          v_readfirstlane_b32
// AMD:          v_cmp_eq_u32
// AMD:          s_cbranch_execnz
// AMD-NOT:      ds_
// AMD:          s_endpgm

struct three_words {
  unsigned w[3];
};
extern "C" FERMATA_KERNEL wave_match_any_12(three_words const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::this_wave().match_any(in[threadIdx.x]).to_uint64();
}
// SM90-LABEL:   .entry wave_match_any_12(
// SM90:         match.any.sync.b64
// SM90:         match.any.sync.b32
// SM90:         and.b32
// SM90-NOT:     match
// SM90:         ret;

extern "C" FERMATA_KERNEL wave_match_all(unsigned long long const* in, unsigned* out) {
  out[threadIdx.x] = fm::this_wave().match_all(in[threadIdx.x]);
}
// SM90-LABEL:   .entry wave_match_all(
// SM90:         match.all.sync.b64
// SM90-NOT:     match
// SM90:         ret;
// AMD-LABEL:    {{^}}wave_match_all:
// AMD-COUNT-2:  v_readfirstlane_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm
