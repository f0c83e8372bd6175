// A reduction of a block keeps a value of each wave in shared memory.
// EXPECT: fermata::block_reduce: T must be trivially copyable and have at most 16 bytes, on every backend. Reduce its
// members
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct wide {
  unsigned numbers[5];
};
struct join {
  FERMATA_FN wide operator()(wide const& a, wide const&) const { return a; }
};

FERMATA_KERNEL kernel(wide* data) { data[0] = fm::block_reduce(data[0], join{}); }
