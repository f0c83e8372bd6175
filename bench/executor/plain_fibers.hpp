// The reference: fibers for the threads of a block, and nothing else.
#pragma once

namespace executor {

// So many blocks one after the other, each of so many fibers that meet at so many barriers.
void run_plain_fibers(unsigned blocks, unsigned threads, unsigned barriers);

}  // namespace executor
