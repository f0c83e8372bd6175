// Nothing constructs the completion of a barrier in shared memory.
// EXPECT: fermata::barrier: the completion lives in the barrier, where no constructor runs on any backend. Give it a
// trivial type
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct count_down {
  int left = 3;
  FERMATA_DEVICE void operator()() { --left; }
};

FERMATA_KERNEL kernel(fm::barrier<fm::thread_scope_block, count_down>* barrier) { barrier->arrive_and_wait(); }
