// BACKEND: hip
// No AMD GPU moves sixteen bytes at once.
// EXPECT: fermata::atomic_ref<T>: 16 bytes at once need CUDA's sm_90 or an x86-64 host; no AMD GPU and no older NVIDIA
// GPU has such an atomic. Ask fermata::is_atomic_size<16> first
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(16) wide {
  unsigned long long low, high;
};

FERMATA_KERNEL kernel(wide* p) {
  fm::device_atomic_ref<wide> const ref(*p);
  ref.is_lock_free();
}
