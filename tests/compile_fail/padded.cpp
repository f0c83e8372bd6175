// Comparing bits of a padded type would not compare values.
// EXPECT: fermata::atomic_ref<T>: T has padding bits .*Remove the padding; if there is none, specialise
// fermata::is_padding_free
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(8) padded {
  int value;
  char tag;
};

FERMATA_KERNEL kernel(padded* p) {
  fm::device_atomic_ref<padded> const ref(*p);
  ref.is_lock_free();
}
