// Coarse-grained memory has no system scope while a kernel runs.
// EXPECT: fermata::atomic_ref::fetch_add.coarse_grained.: outside the device nobody sees coarse-grained memory while a
// kernel runs, on AMD. Use thread_scope_device, or memory_kind::fine without the promise.
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(float* p) {
  fm::system_atomic_ref<float>(*p).fetch_add(1.0f, fm::memory_order_relaxed, fm::coarse_grained);
}
