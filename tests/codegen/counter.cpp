// A counter: a release that is one addition, polls that stay in the loop, one acquire; and a block that signals by one
// leader, whose release covers the stores of all its waves.
#include <fermata/counter.hpp>
#include <fermata/kernel.hpp>
#include <fermata/task_event.hpp>

namespace fm = fermata;

extern "C" FERMATA_KERNEL counter_signal(unsigned* data, fm::counter<>* counter) {
  data[threadIdx.x] = 1;
  counter->signal();
}
// SM90-LABEL:   .entry counter_signal(
// SM90:         st.global.u32
// SM90-NOT:     fence
// SM90:         {{atom|red}}.add.release.gpu.u32
// SM90-NOT:     {{atom|red|fence}}.
// SM90:         ret;
// AMD-LABEL:    {{^}}counter_signal:
// AMD:          global_store_
// GFX90A:       s_waitcnt vmcnt(0)
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX1100:      s_waitcnt_vscnt null, 0x0
// AMD-NOT:      {{(global|flat)_(store|load)|buffer_}}
// AMD:          global_atomic_add
// AMD-NOT:      {{global_atomic|buffer_|flat_}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL counter_await(fm::counter<> const* counter, unsigned target, unsigned* data) {
  counter->await(target);
  data[0] = data[1];
}
// The distance is signed, so that the count may wrap around.
// SM90-LABEL:   .entry counter_await(
// SM90:         [[TOP:\$L__BB[0-9_]+]]:
// SM90:         ld.acquire.gpu.b32
// SM90:         setp.{{lt|gt}}.s32
// SM90:         bra {{.*}}[[TOP]]
// SM90:         ld.global
// AMD-LABEL:    {{^}}counter_await:
// GFX942:       [[TOP:\.LBB[0-9_]+]]:
// GFX942:       s_sleep 1
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
// AMD-NOT:      {{(global|flat)_load}}
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load_

extern "C" FERMATA_KERNEL counter_ready(fm::counter<> const* counter, unsigned target, unsigned* data) {
  if (counter->ready(target)) data[0] = data[1];
}
// Looking once acquires, too.
// SM90-LABEL:   .entry counter_ready(
// SM90:         ld.acquire.gpu.b32
// SM90-NOT:     {{[[:space:]]fence\.}}
// SM90:         ld.global
// AMD-LABEL:    {{^}}counter_ready:
// AMD:          global_load_{{dword|b32}} {{.*}} {{sc1|glc}}
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD:          global_load_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256) counter_signal_block(unsigned* data, fm::counter<>* counter) {
  data[threadIdx.x] = 1;
  counter->signal_block();
}
// Every wave waits for its stores before the barrier; after it the leader writes back, waits and adds.
// SM90-LABEL:   .entry counter_signal_block(
// SM90:         st.global.u32
// SM90:         bar.sync
// SM90:         {{atom|red}}.add.release.gpu.u32
// SM90-NOT:     bar.sync
// SM90:         ret;
// AMD-LABEL:    {{^}}counter_signal_block:
// AMD:          global_store_
// GFX9:         s_waitcnt vmcnt(0)
// GFX9-NEXT:    s_barrier
// GFX1100:      s_waitcnt_vscnt null, 0x0
// GFX1100-NEXT: s_barrier
// GFX942:       buffer_wbl2 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// AMD-NOT:      {{(global|flat)_(store|load)|s_barrier}}
// AMD:          global_atomic_add
// AMD-NOT:      {{s_barrier|buffer_}}
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL_BOUNDS(256)
    event_await_block(fm::task_event<> const* event, unsigned iteration, unsigned* data) {
  event->await_block(iteration);
  data[threadIdx.x] = data[threadIdx.x + 256];
}
// One thread waits and acquires, then the block goes on; nobody has read before.
// SM90-LABEL:   .entry event_await_block(
// SM90:         mul.lo.s32
// SM90:         ld.acquire.gpu.b32
// SM90:         bar.sync
// SM90:         ld.global
// AMD-LABEL:    {{^}}event_await_block:
// AMD:          s_mul_i32
// AMD:          s_sleep 1
// AMD:          s_cbranch_
// GFX942:       buffer_inv sc1{{$}}
// GFX90A:       buffer_wbinvl1_vol
// GFX1100:      buffer_gl1_inv
// AMD-NOT:      {{(global|flat)_load}}
// AMD:          s_barrier
// AMD:          global_load_
// AMD:          s_endpgm

extern "C" FERMATA_KERNEL counter_signal_system(fm::counter<fm::thread_scope_system>* counter) { counter->signal(); }
// SM90-LABEL:   .entry counter_signal_system(
// SM90:         {{atom|red}}.add.release.sys.u32
// AMD-LABEL:    {{^}}counter_signal_system:
// GFX942:       buffer_wbl2 sc0 sc1{{$}}
// GFX942-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:       buffer_wbl2
// GFX90A-NEXT:  s_waitcnt vmcnt(0)
// AMD:          global_atomic_add
