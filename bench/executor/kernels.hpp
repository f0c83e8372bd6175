// What the host backend is measured with. Written once; compiled for fermata::host and for fermata::check.
#pragma once

#include <fermata/fermata.hpp>

namespace executor {

namespace fm = fermata;

inline constexpr unsigned bins = 64;

// Block barriers, one after the other.
inline FERMATA_KERNEL barriers(unsigned count) {
  for (unsigned i = 0; i < count; ++i) fm::this_block().sync();
}

// Atomic additions, each lane to a word of its own.
template <class Ref>
FERMATA_KERNEL atomics(unsigned* words, unsigned count) {
  Ref const mine(words[fm::this_grid().thread_rank()]);
  for (unsigned i = 0; i < count; ++i) mine.fetch_add(1, fm::memory_order_relaxed);
}

// A histogram in shared memory, merged into one in global memory.
inline FERMATA_KERNEL histogram(unsigned const* keys, unsigned* counts, unsigned a_lane) {
  FERMATA_SHARED(local, unsigned[bins]);
  unsigned const rank = fm::this_block().thread_rank();
  for (unsigned b = rank; b < bins; b += fm::this_block().size()) local[b] = 0;
  fm::this_block().sync();
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  unsigned const first = static_cast<unsigned>(fm::this_grid().thread_rank());
  for (unsigned i = 0; i < a_lane; ++i)
    fm::block_atomic_ref<unsigned>(local[keys[first + i * threads] % bins]).fetch_add(1, fm::memory_order_relaxed);
  fm::this_block().sync();
  for (unsigned b = rank; b < bins; b += fm::this_block().size())
    fm::device_atomic_ref<unsigned>(counts[b]).fetch_add(local[b], fm::memory_order_relaxed);
}

// The sum of an array: a tree in shared memory, and the last block adds up what the blocks have left.
inline FERMATA_KERNEL reduce(unsigned const* values, unsigned* partial, unsigned* arrived, unsigned* sum,
                             unsigned a_lane) {
  FERMATA_SHARED(tile, unsigned[256]);
  FERMATA_SHARED(last, unsigned);
  unsigned const rank = fm::this_block().thread_rank(), threads = static_cast<unsigned>(fm::this_grid().size());
  unsigned mine = 0;
  for (unsigned i = 0; i < a_lane; ++i) mine += values[fm::this_grid().thread_rank() + std::size_t{i} * threads];
  tile[rank] = mine;
  fm::this_block().sync();
  for (unsigned half = fm::this_block().size() / 2; half != 0; half /= 2) {
    if (rank < half) tile[rank] += tile[rank + half];
    fm::this_block().sync();
  }
  unsigned const block = fm::this_grid().block_rank(), blocks = threads / fm::this_block().size();
  if (rank == 0) {
    partial[block] = tile[0];
    last = fm::device_atomic_ref<unsigned>(*arrived).fetch_add(1, fm::memory_order_acq_rel) == blocks - 1;
  }
  fm::this_block().sync();
  if (last == 0 || rank != 0) return;
  unsigned all = 0;
  for (unsigned b = 0; b < blocks; ++b) all += partial[b];
  *sum = all;
}

}  // namespace executor
