// Tiles: the segment width of the shuffles, a mask made of two instructions, and no search.
#include <fermata/kernel.hpp>
#include <fermata/tile.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL tile_rank(unsigned* out) {
  auto const tile = fm::tiled_partition<8>(fm::this_block());
  out[threadIdx.x] = tile.thread_rank();
}
// SM90-LABEL:   .entry tile_rank(
// SM90:         %laneid
// SM90:         and.b32 {{.*}}, 7;
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_rank:
// AMD:          v_mbcnt_lo_u32_b32
// AMD:          v_and_b32_e32 {{.*}}, 7,
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_sync(unsigned* p) {
  FERMATA_SHARED(slots, unsigned[64]);
  slots[threadIdx.x] = p[threadIdx.x];
  fm::tiled_partition<32>(fm::this_block()).sync();
  p[threadIdx.x] = slots[threadIdx.x ^ 1];
}
// SM90-LABEL:   .entry tile_sync(
// SM90:         st.shared
// SM90:         bar.warp.sync -1;
// SM90:         ld.shared
// AMD-LABEL:    {{^}}tile_sync:
// AMD:          ; wave barrier
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_ballot(unsigned const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).ballot(in[threadIdx.x] > 3).to_uint64();
}
// SM90-LABEL:   .entry tile_ballot(
// SM90:         and.b32 [[BASE:%r[0-9]+]], {{%r[0-9]+}}, -8;
// SM90:         mov.{{[ub]}}32 [[ONES:%r[0-9]+]], 255;
// SM90:         shl.b32 [[MASK:%r[0-9]+]], [[ONES]], [[BASE]];
// SM90:         vote.sync.ballot.b32 {{.*}}, [[MASK]];
// SM90:         shr.u32 {{.*}}, [[BASE]];
// SM90-NOT:     popc
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_ballot:
// GFX942:       v_and_b32_e32 [[BASE:v[0-9]+]], 0x78,
// GFX942:       s_mov_b64 [[ONES:s\[[0-9:]+\]]], 0xff{{$}}
// GFX942:       v_lshlrev_b64 {{.*}}, [[BASE]], [[ONES]]
// GFX90A:       s_mov_b64 [[ONES:s\[[0-9:]+\]]], 0xff{{$}}
// GFX90A:       v_lshlrev_b64 {{.*}}, [[ONES]]
// GFX1100:      v_lshlrev_b32_e64 {{.*}}, 0xff{{$}}
// AMD:          v_cmp_
// AMD:          v_lshrrev_b
// AMD:          s_endpgm

// The largest tile: all lanes of a wave of 32, half of one of 64.
extern "C" FERMATA_KERNEL tile_ballot_32(unsigned const* in, unsigned long long* out) {
  out[threadIdx.x] = fm::tiled_partition<32>(fm::this_block()).ballot(in[threadIdx.x] > 3).to_uint64();
}
// SM90-LABEL:   .entry tile_ballot_32(
// SM90:         mov.{{[ub]}}32 [[ALL:%r[0-9]+]], -1;
// SM90:         vote.sync.ballot.b32 {{%r[0-9]+}}, {{%p[0-9]+}}, [[ALL]];
// SM90:         ret;
// GFX1100-LABEL: {{^}}tile_ballot_32:
// GFX1100:      v_cmp_lt_u32_e32 vcc_lo, 3,
// GFX1100-NEXT: v_mov_b32_e32 {{v[0-9]+}}, vcc_lo
// GFX1100-NEXT: global_store_b64
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_any_all(unsigned const* in, unsigned* out) {
  auto const tile = fm::tiled_partition<16>(fm::this_block());
  out[threadIdx.x] = tile.any(in[threadIdx.x] > 3) + 2 * tile.all(in[threadIdx.x] > 3);
}
// SM90-LABEL:   .entry tile_any_all(
// SM90:         mov.{{[ub]}}32 [[ONES:%r[0-9]+]], 65535;
// SM90:         shl.b32 [[MASK:%r[0-9]+]], [[ONES]],
// SM90:         vote.sync.any.pred {{.*}}, [[MASK]];
// SM90:         vote.sync.all.pred
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_any_all:
// AMD:          v_cmp_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_shfl(unsigned const* in, unsigned source, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).shfl(in[threadIdx.x], source);
}
// The width is in the last operand but one: (32 - 8) << 8, and 31 for the reach. It may stand in a register.
// SM90-LABEL:   .entry tile_shfl(
// SM90-DAG:     shfl.sync.idx.b32
// SM90-DAG:     6175
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_shfl:
// GFX942:       v_and_b32_e32 [[BASE:v[0-9]+]], 0x78,
// GFX942:       v_and_or_b32 [[SOURCE:v[0-9]+]], {{s[0-9]+}}, 7, [[BASE]]
// GFX942:       v_lshlrev_b32_e32 {{v[0-9]+}}, 2, [[SOURCE]]
// AMD:          ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_shfl_up(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).shfl_up(in[threadIdx.x], 3);
}
// SM90-LABEL:   .entry tile_shfl_up(
// SM90-DAG:     shfl.sync.up.b32
// SM90-DAG:     6144
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_shfl_up:
// GFX942:       v_and_b32_e32 [[RANK:v[0-9]+]], 7, [[LANE:v[0-9]+]]
// GFX942:       v_lshlrev_b32_e32 [[OWN:v[0-9]+]], 2, [[LANE]]
// GFX942:       v_add_u32_e32 [[BEFORE:v[0-9]+]], -12, [[OWN]]
// GFX942:       v_cmp_lt_u32_e32 vcc, 2, [[RANK]]
// AMD:          v_cndmask_b32
// AMD:          ds_bpermute_b32
// AMD:          s_endpgm

// As far as the end of the tile.
extern "C" FERMATA_KERNEL tile_shfl_down(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).shfl_down(in[threadIdx.x], 3);
}
// SM90-LABEL:   .entry tile_shfl_down(
// SM90-DAG:     shfl.sync.down.b32
// SM90-DAG:     6175
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_shfl_down:
// GFX942:       v_and_b32_e32 [[RANK:v[0-9]+]], 7, [[LANE:v[0-9]+]]
// GFX942:       v_lshlrev_b32_e32 [[OWN:v[0-9]+]], 2, [[LANE]]
// GFX942:       v_add_u32_e32 [[BEHIND:v[0-9]+]], 12, [[OWN]]
// GFX942:       v_cmp_gt_u32_e32 vcc, 5, [[RANK]]
// GFX942:       v_cndmask_b32_e32 [[SOURCE:v[0-9]+]], [[OWN]], [[BEHIND]], vcc
// GFX942:       ds_bpermute_b32 {{v[0-9]+}}, [[SOURCE]],
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_shfl_xor(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<32>(fm::this_block()).shfl_xor(in[threadIdx.x], 5);
}
// SM90-LABEL:   .entry tile_shfl_xor(
// SM90-NOT:     laneid
// SM90:         shfl.sync.bfly.b32
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_shfl_xor:
// AMD:          ds_bpermute_b32

extern "C" FERMATA_KERNEL tile_shfl_xor_8(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).shfl_xor(in[threadIdx.x], 5);
}
// SM90-LABEL:   .entry tile_shfl_xor_8(
// SM90-DAG:     shfl.sync.bfly.b32
// SM90-DAG:     6175
// SM90:         ret;

extern "C" FERMATA_KERNEL tile_reduce(float const* in, float* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).reduce(in[threadIdx.x], fm::plus{});
}
// SM90-LABEL:   .entry tile_reduce(
// SM90ONLY:     6175
// SM90-COUNT-3: shfl.sync.bfly.b32
// SM90-NOT:     shfl
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_reduce:
// AMD-NOT:      ds_
// AMD:          v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2] row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} quad_perm:[2,3,0,1] row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} row_half_mirror row_mask:0xf
// AMD-NOT:      {{ds_|_dpp}}
// AMD:          s_endpgm

// The last step leads from row to row, which all lanes must learn of.
extern "C" FERMATA_KERNEL tile_reduce_32(float const* in, float* out) {
  out[threadIdx.x] = fm::tiled_partition<32>(fm::this_block()).reduce(in[threadIdx.x], fm::plus{});
}
// SM90-LABEL:   .entry tile_reduce_32(
// SM90-COUNT-5: shfl.sync.bfly.b32
// SM90-NOT:     shfl
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_reduce_32:
// GFX1100:      s_mov_b32 [[LANES:s[0-9]+]], 0x76543210
// AMD:          v_add_f32_dpp {{.*}} row_half_mirror row_mask:0xf
// AMD:          v_add_f32_dpp {{.*}} row_mirror row_mask:0xf
// GFX9:         ds_bpermute_b32
// GFX1100:      v_permlanex16_b32 {{v[0-9]+}}, {{v[0-9]+}}, [[LANES]], 0xfedcba98
// AMD-NOT:      ds_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL tile_reduce_integer(int const* in, int* out) {
  out[threadIdx.x] = fm::tiled_partition<8>(fm::this_block()).reduce(in[threadIdx.x], fm::maximum{});
}
// SM90-LABEL:   .entry tile_reduce_integer(
// SM90:         redux.sync.max.s32
// SM90-NOT:     shfl
// SM90:         ret;

extern "C" FERMATA_KERNEL tile_scan(unsigned const* in, unsigned* out) {
  out[threadIdx.x] = fm::tiled_partition<16>(fm::this_block()).inclusive_scan(in[threadIdx.x]);
}
// SM90-LABEL:   .entry tile_scan(
// SM90-NOT:     setp
// SM90-COUNT-4: shfl.sync.up.b32 r|p, {{.*}}, 4096, {{.*}}; @p add.u32
// SM90-NOT:     setp
// SM90:         ret;
// AMD-LABEL:    {{^}}tile_scan:
// GFX942:       v_mbcnt_hi_u32_b32 [[LANE:v[0-9]+]],
// GFX942:       v_lshlrev_b32_e32 [[OWN:v[0-9]+]], 2, [[LANE]]
// GFX942:       v_add_u32_e32 [[BEFORE:v[0-9]+]], -4, [[OWN]]
// GFX942:       v_and_b32_e32 [[RANK:v[0-9]+]], 15, [[LANE]]
// GFX942:       v_cmp_ne_u32_e32 vcc, 0, [[RANK]]
// GFX942:       ds_bpermute_b32 {{v[0-9]+}}, [[BEFORE]],
// GFX942:       v_cmp_lt_u32_e32 vcc, 7, [[RANK]]
// GFX90A-COUNT-4: ds_bpermute_b32
// GFX1100-COUNT-4: ds_bpermute_b32
// AMD-NOT:      ds_
// AMD:          s_endpgm

// The waves of a wide tile meet in shared memory: an arrival that releases, and a wait of one lane, between two
// barriers of the wave.
extern "C" FERMATA_KERNEL wide_tile_sync(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<256, 512>);
  auto const tile = fm::tiled_partition<256>(fm::this_block(), scratch);
  p[threadIdx.x] = 1;
  tile.sync();
}
// SM90-LABEL:   .entry wide_tile_sync(
// SM90:         bar.sync
// SM90:         st.shared
// SM90:         bar.sync
// SM90:         st.global
// SM90:         bar.warp.sync
// SM90:         atom.add.release.cta
// SM90:         ld.acquire.cta
// SM90:         bar.warp.sync
// SM90:         ret;
// AMD-LABEL:    {{^}}wide_tile_sync:
// AMD:          s_barrier
// AMD:          s_barrier
// AMD:          global_store_
// AMD:          ; wave barrier
// GFX9:         s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD:          ds_add_rtn_u32
// AMD:          s_sleep 1
// AMD:          ; wave barrier
// AMD:          s_endpgm

// Where a wave has the 64 lanes, the tile is the wave.
extern "C" FERMATA_KERNEL wide_tile_in_a_wave(unsigned* p) {
  FERMATA_SHARED(scratch, fm::tile_scratch<64, 256>);
  auto const tile = fm::tiled_partition<64>(fm::this_block(), scratch);
  p[threadIdx.x] = tile.reduce(p[threadIdx.x], fm::bit_or{});
}
// SM90-LABEL:   .entry wide_tile_in_a_wave(
// SM90:         redux.sync.or.b32
// SM90:         atom.add.release.cta
// AMD-LABEL:    {{^}}wide_tile_in_a_wave:
// GFX9-NOT:     {{s_barrier|ds_}}
// GFX9:         v_or_b32_dpp {{.*}} row_shr:1 row_mask:0xf
// GFX9:         v_readlane_b32 {{.*}}, 63
// GFX9-NOT:     {{s_barrier|ds_}}
// GFX1100:      ds_add_rtn_u32
// AMD:          s_endpgm
