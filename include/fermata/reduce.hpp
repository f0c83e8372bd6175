// Reductions over a block, and the block that comes last: together a reduction over a grid in one launch.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/atomic.hpp>
#include <fermata/backend/block.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/generic/rows.hpp>
#include <fermata/kernel.hpp>
#include <fermata/scope.hpp>
#include <fermata/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Room for a value of each wave of the largest block, 1,024 threads in waves of 32. One for all reductions of a kernel:
// barriers stand between them.
struct alignas(16) wave_values {
  unsigned char bytes[32 * 16];
};

FERMATA_DEVICE inline wave_values& shared_wave_values() noexcept {
  FERMATA_SHARED(values, wave_values);
  return values;
}

}  // namespace detail

// op over the values of all threads of the block, the same result, bit for bit, in every thread.
//
// T       trivially copyable, up to 16 bytes.
// op      associative and commutative, as in this_wave().reduce(): plus{}, minimum{}, a lambda. Floats add up alike on
//         every backend for the same width of waves.
// Pre     all threads of the block call it, of any block size; none has returned from the kernel.
// Memory  holds two barriers of the block: what a thread did before is visible to all threads behind it.
// Cost    a reduction of the wave, two barriers, and a read of shared memory for each wave of the block, or one and
//         another reduction for integers up to 4 bytes and the operations of functional.hpp; 512 bytes of shared memory
//         for all calls of a kernel together.
template <class T, class Op>
FERMATA_DEVICE T block_reduce(T value, Op op) noexcept {
  static_assert(
      std::is_trivially_copyable_v<T> && sizeof(T) <= 16 && alignof(T) <= 16,
      "fermata::block_reduce: T must be trivially copyable and have at most 16 bytes, on every backend. Reduce "
      "its members one by one.");
  T* const values = reinterpret_cast<T*>(detail::shared_wave_values().bytes);
  block_group const block = this_block();
  unsigned const width = wave::size(), waves = (block.size() + width - 1) / width;
  value = this_wave().reduce(value, op);
  if (this_wave().lane() == 0) values[block.thread_rank() / width] = value;
  block.sync();
  T result;
  if constexpr (detail::generic::has_identity<T, Op> && sizeof(T) <= 4) {
    // A value a lane, and another reduction. One turn, but in a partial wave that has fewer lanes than there are
    // values; the vote keeps compilers from unrolling it.
    result = detail::generic::identity<T, Op>();
    unsigned const lanes = this_wave().ballot(true).count();
    unsigned w = this_wave().lane();
    do {
      if (w < waves) result = op(result, values[w]);
      w += lanes;
    } while (this_wave().any(w < waves));
    result = this_wave().reduce(result, op);
  } else {
    // Every thread folds them in the same order. All lanes read one address at a time, which is a broadcast.
    result = values[0];
    for (unsigned w = 1; w < waves; ++w) result = op(result, values[w]);
  }
  // Before anybody writes there again.
  block.sync();
  return result;
}

// True in all threads of the block that is the last of the grid to come here, false in those of all others. That block
// sees what all threads of all blocks did before they came, and so can finish what the others have begun, without a
// barrier of the grid and without a second kernel:
//
//   partial[block] = block_reduce(…);            // one thread of each block writes
//   if (fm::last_block(*arrived)) { … reads partial of all blocks … }
//
// arrived  zero before the first use, in memory of the device. It is zero again when the last block has come: good for
//          any number of launches, of any grid sizes, one at a time. A second use in the same kernel has a word of its
//          own, as one block may be there before another has come to the first.
// Pre      all threads of all blocks call it. The blocks need not be resident together, nobody waits.
// Order    acq_rel at device scope, by one leader between two barriers of its block.
// Emits    CUDA: bar.sync, atom.inc.acq_rel.gpu, bar.sync. HIP: every wave drains its memory operations before the
//          first barrier, the leader's release writes back and waits, one atomic increment, an invalidate.
FERMATA_DEVICE inline bool last_block(std::uint32_t& arrived) noexcept {
  FERMATA_SHARED(is_last, std::uint32_t);
  this_block().sync();
  if (backend::leads_block()) {
    // The wrapping increment counts and starts again in one step, so that nobody can come in between.
    std::uint32_t const others = backend::grid_dim().count() - 1;
    is_last = device_atomic_ref<std::uint32_t>(arrived).fetch_inc_wrap(others, memory_order_acq_rel) == others;
  }
  this_block().sync();
  return is_last != 0;
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
