// Eight bytes with the alignment of four.
// EXPECT: fermata::atomic_ref<T>: T is not aligned to its size; a misaligned atomic traps or tears on every GPU
// backend. Declare T with alignas
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct pair_of_ints {
  int first, second;
};

FERMATA_KERNEL kernel(pair_of_ints* p) {
  fm::device_atomic_ref<pair_of_ints> const ref(*p);
  ref.is_lock_free();
}
