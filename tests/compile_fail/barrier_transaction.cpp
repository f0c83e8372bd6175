// Bytes of an asynchronous copy are no arrivals.
// EXPECT: fermata::barrier::expect_tx: transaction barriers are refused on every backend: the asynchronous proxy has
// orders of its own. Use the vendor's: cuda::barrier
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::barrier<fm::thread_scope_block>* barrier) { barrier->expect_tx(128); }
