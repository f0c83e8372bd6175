// Slots whose data are their own flag, under fast math and flushed subnormals: the word that was loaded is compared as
// an integer, and no instruction takes it, or what is published, for a float.
// FAST MATH
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

// That the options have arrived: a product of subnormals is flushed.
extern "C" FERMATA_KERNEL flushes(float* x) { *x = *x * *x; }
// SM90-LABEL:   .entry flushes(
// SM90:         mul.ftz.f32
// AMD-LABEL:    {{^}}flushes:
// AMD:          v_mul_f32
// AMD:          .amdhsa_float_denorm_mode_32 0

extern "C" FERMATA_KERNEL sentinel_await(fm::sentinel<float> const* slot, float* out) { *out = slot->await(); }
// SM90-LABEL:   .entry sentinel_await(
// SM90:         [[TOP:\$L__BB[0-9_]+]]:
// SM90:         ld.relaxed.gpu.b32 [[SEEN:%r[0-9]+]]
// SM90-NOT:     f32
// SM90:         setp.{{eq|ne}}.s32 {{%p[0-9]+}}, [[SEEN]], 2141562277
// SM90-NOT:     f32
// SM90:         bra {{.*}}[[TOP]]
// SM90:         ret
// AMD-LABEL:    {{^}}sentinel_await:
// GFX9:         s_mov_b32 [[EMPTY:s[0-9]+]], 0x7fa5a5a5
// GFX9:         [[TOP:\.LBB[0-9_]+]]:
// GFX9:         global_load_dword [[SEEN:v[0-9]+]]
// GFX9:         v_cmp_eq_u32_e32 vcc, [[EMPTY]], [[SEEN]]
// GFX11:        [[TOP:\.LBB[0-9_]+]]:
// GFX11:        global_load_b32 [[SEEN:v[0-9]+]]
// GFX11:        v_cmp_eq_u32_e32 vcc_lo, 0x7fa5a5a5, [[SEEN]]
// AMD-NOT:      {{v_(cmp|max|mul|add)[a-z_]*_f(32|64)}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL sentinel_publish(fm::sentinel<float>* slot, float value) { slot->publish(value); }
// SM90-LABEL:   .entry sentinel_publish(
// SM90-NOT:     {{setp.*f32|(mul|add|fma|min|max|neg|abs)\.[a-z.]*f32}}
// SM90:         st.relaxed.gpu.b32
// SM90:         ret
// AMD-LABEL:    {{^}}sentinel_publish:
// AMD-NOT:      {{_f(32|64)}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL sentinel_step(fm::exchange<float, fm::sentinel_protocol> exchange, float* x) {
  auto gather = exchange.open<64, 1>();
  gather.publish([&](unsigned i) { return x[i]; });
  gather.await_all([&](unsigned i, float value) { x[i] = value; });
  gather.advance();
}
// SM90-LABEL:   .entry sentinel_step(
// SM90:         ld.relaxed.gpu.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
// SM90-NOT:     {{setp.*f32|(mul|add|fma|min|max|neg|abs)\.[a-z.]*f32}}
// SM90-DAG:     setp.{{eq|ne}}.s32 {{%p[0-9]+}}, [[A]], 2141562277
// SM90-DAG:     setp.{{eq|ne}}.s32 {{%p[0-9]+}}, [[B]], 2141562277
// SM90-DAG:     setp.{{eq|ne}}.s32 {{%p[0-9]+}}, [[C]], 2141562277
// SM90-DAG:     setp.{{eq|ne}}.s32 {{%p[0-9]+}}, [[D]], 2141562277
// SM90-NOT:     {{setp.*f32|(mul|add|fma|min|max|neg|abs)\.[a-z.]*f32}}
// SM90:         ret
// AMD-LABEL:    {{^}}sentinel_step:
// AMD-NOT:      {{v_(cmp|max|mul|add)[a-z_]*_f(32|64)}}
// AMD:          s_endpgm
