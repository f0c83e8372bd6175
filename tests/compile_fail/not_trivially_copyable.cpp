// A type with a copy constructor of its own.
// EXPECT: fermata::atomic_ref<T>: T is not trivially copyable; no backend can move it in one instruction. Keep an index
// or a pointer
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct counted {
  int value;
  FERMATA_FN counted(counted const& other) : value(other.value) {}
};

FERMATA_KERNEL kernel(counted* p) {
  fm::device_atomic_ref<counted> const ref(*p);
  ref.is_lock_free();
}
