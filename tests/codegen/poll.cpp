// Waiting: the poll is a relaxed load at the waiting scope and stays inside the loop; an acquire comes once, behind it.
#include <fermata/atomic.hpp>
#include <fermata/flagged.hpp>
#include <fermata/kernel.hpp>
#include <fermata/sentinel.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL sentinel_await(fm::sentinel<float> const* slot, float* out) { *out = slot->await(); }
// SM90-LABEL:   .entry sentinel_await(
// SM90-NOT:     fence
// SM90:         [[TOP:\$L__BB[0-9_]+]]:
// SM90:         ld.relaxed.gpu.b32
// SM90:         bra {{.*}}[[TOP]]
// SM90-NOT:     fence
// SM90:         ret
// AMD-LABEL:    {{^}}sentinel_await:
// GFX942:       [[TOP:\.LBB[0-9_]+]]:
// GFX942:       s_sleep 1
// GFX942-NEXT:  global_load_dword {{.*\] sc1$}}
// GFX942-NOT:   s_branch
// GFX942:       s_cbranch_{{.*}} [[TOP]]
// GFX90A:       [[TOP:\.LBB[0-9_]+]]:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX90A:       s_cbranch_{{.*}} [[TOP]]
// GFX1100:      [[TOP:\.LBB[0-9_]+]]:
// GFX1100:      global_load_b32 {{.*\] glc$}}
// GFX1100:      s_cbranch_{{.*}} [[TOP]]
// AMD-NOT:      {{buffer_|v_cmp_.*_f32}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL sentinel_publish(fm::sentinel<float>* slot, float value) { slot->publish(value); }
// SM90-LABEL:   .entry sentinel_publish(
// SM90-NOT:     {{fence|setp.*f32}}
// SM90:         st.relaxed.gpu.b32
// AMD-LABEL:    {{^}}sentinel_publish:
// AMD-NOT:      {{buffer_|vmcnt|vscnt|_f32}}
// GFX942:       global_store_dword {{.*\] sc1$}}
// GFX90A:       global_store_dword
// GFX1100:      global_store_b32
// AMD-NOT:      buffer_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL flagged_await(fm::flagged<float> const* slot, unsigned epoch, float* out) {
  *out = slot->await(epoch);
}
// SM90-LABEL:   .entry flagged_await(
// SM90-NOT:     fence
// SM90:         [[TOP:\$L__BB[0-9_]+]]:
// SM90:         ld.relaxed.gpu.b64
// SM90:         bra {{.*}}[[TOP]]
// AMD-LABEL:    {{^}}flagged_await:
// GFX942:       [[TOP:\.LBB[0-9_]+]]:
// GFX942:       global_load_dwordx2 {{.*\] sc1$}}
// GFX942:       s_cbranch_{{.*}} [[TOP]]
// GFX90A:       [[TOP:\.LBB[0-9_]+]]:
// GFX90A:       global_load_dwordx2 {{.*\] glc$}}
// GFX90A:       s_cbranch_{{.*}} [[TOP]]
// GFX1100:      [[TOP:\.LBB[0-9_]+]]:
// GFX1100:      global_load_b64 {{.*\] glc$}}
// GFX1100:      s_cbranch_{{.*}} [[TOP]]
// AMD-NOT:      buffer_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL flagged_publish(fm::flagged<float>* slot, unsigned epoch, float value) {
  slot->publish(value, epoch);
}
// SM90-LABEL:   .entry flagged_publish(
// SM90-NOT:     fence
// SM90:         st.relaxed.gpu.b64
// AMD-LABEL:    {{^}}flagged_publish:
// AMD-NOT:      {{buffer_|vmcnt|vscnt}}
// GFX942:       global_store_dwordx2 {{.*\] sc1$}}
// GFX90A:       global_store_dwordx2
// GFX1100:      global_store_b64
// AMD-NOT:      global_store
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL wait_acquire_device(unsigned* flag, unsigned* data, unsigned* out) {
  fm::device_atomic_ref<unsigned>(*flag).wait(0, fm::memory_order_acquire);
  *out = *data;
}
// SM90-LABEL:   .entry wait_acquire_device(
// SM90:         [[TOP:\$L__BB[0-9_]+]]:
// SM90:         ld.{{relaxed|acquire}}.gpu.b32
// SM90:         bra {{.*}}[[TOP]]
// SM90:         ld.global
// AMD-LABEL:    {{^}}wait_acquire_device:
// GFX942:       [[TOP:\.LBB[0-9_]+]]:
// GFX942:       global_load_dword {{.*\] sc1$}}
// GFX942-NOT:   buffer_
// GFX942:       s_cbranch_{{.*}} [[TOP]]
// GFX90A:       [[TOP:\.LBB[0-9_]+]]:
// GFX90A:       global_load_dword {{.*\] glc$}}
// GFX90A-NOT:   buffer_
// GFX90A:       s_cbranch_{{.*}} [[TOP]]
// GFX1100:      [[TOP:\.LBB[0-9_]+]]:
// GFX1100:      global_load_b32 {{.*\] glc$}}
// GFX1100-NOT:  buffer_
// GFX1100:      s_cbranch_{{.*}} [[TOP]]
// AMD-NOT:      global_load
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load

extern "C" FERMATA_KERNEL wait_acquire_system(unsigned* flag, unsigned* data, unsigned* out) {
  fm::system_atomic_ref<unsigned>(*flag).wait(0, fm::memory_order_acquire);
  *out = *data;
}
// SM90-LABEL:   .entry wait_acquire_system(
// SM90:         ld.{{relaxed|acquire}}.sys.b32
// AMD-LABEL:    {{^}}wait_acquire_system:
// GFX942:       [[TOP:\.LBB[0-9_]+]]:
// GFX942:       global_load_dword {{.*\] sc0 sc1$}}
// GFX942:       s_cbranch_{{.*}} [[TOP]]
// GFX942:       buffer_inv sc0 sc1{{$}}
// GFX942:       global_load_dword
