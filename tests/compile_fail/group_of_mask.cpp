// A mask is no group: it has no caller.
// EXPECT: (constraints not satisfied|no matching function|no instance of function template|associated constraints)
#include <fermata/fermata.hpp>

namespace fm = fermata;

template <fm::group Group>
FERMATA_DEVICE unsigned rank_in(Group const& group) {
  return group.thread_rank();
}

FERMATA_KERNEL kernel(unsigned* p) { *p = rank_in(fm::lane_mask::all(3)); }
