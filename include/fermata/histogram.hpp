// Counting into few bins without fighting for them: copies in shared memory, or counters in registers.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/atomic.hpp>
#include <fermata/backend/contention.hpp>
#include <fermata/block.hpp>
#include <fermata/functional.hpp>
#include <fermata/kernel.hpp>
#include <fermata/scope.hpp>
#include <fermata/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Adds to a bin in memory of the device, which has 4 or 8 bytes and is shared by the blocks.
template <class Count>
FERMATA_DEVICE void add_to_bin(Count& bin, std::uint32_t n) noexcept {
  static_assert(std::is_integral_v<Count> && std::is_unsigned_v<Count> && (sizeof(Count) == 4 || sizeof(Count) == 8),
                "fermata::merge_into: the bins of the result are unsigned integers of 4 or 8 bytes on every backend.");
  if (n != 0) (void)device_atomic_ref<Count>(bin).fetch_add(n, memory_order_relaxed);
}

}  // namespace detail

// The counts of one block, in its shared memory: FERMATA_SHARED(h, fm::privatized_histogram<256>). Each bin has
// `Replicas` counters, neighbours in different banks, which the lanes of a wave use in turn: with more of them fewer
// lanes meet where most keys are the same.
//
//   h.clear();
//   for (…) h.add(key);
//   h.merge_into(result);          // result[Bins], zero before the kernel; then clear() again, or the end
//
// Pre     all threads of the block call clear and merge_into; add may be called by any of them, any number of times.
//         clear stands before the first add and between a merge_into and the next add.
// Memory  clear ends with a barrier of the block, and merge_into begins with one: nothing else has to stand between
//         these calls. What merge_into adds is relaxed at device scope; who reads the result in the same kernel
//         synchronises, by last_block(), say.
// Emits   add: CUDA atom/red.shared, HIP ds_add_u32. merge_into: one relaxed atomic for each bin that is not empty.
// Cost    Bins * Replicas * 4 bytes of shared memory, uninitialised. Counts are of 32 bits and wrap around.
template <unsigned Bins, unsigned Replicas = 1>
class privatized_histogram {
  static_assert(Bins > 0 && Replicas > 0,
                "fermata::privatized_histogram<Bins, Replicas>: both are at least 1, on every backend.");

 public:
  static constexpr unsigned bins = Bins, replicas = Replicas;

  FERMATA_DEVICE void clear() noexcept {
    // Each thread clears the bins that it merges, so that no barrier is needed before.
    for (unsigned bin = this_block().thread_rank(); bin < Bins; bin += this_block().size())
      for (unsigned replica = 0; replica < Replicas; ++replica) counts_[bin][replica] = 0;
    this_block().sync();
  }

  // Counts n more in the bin. Pre: bin < Bins.
  FERMATA_DEVICE void add(unsigned bin, std::uint32_t n = 1) noexcept {
    backend::count_in_block(&counts_[bin][this_block().thread_rank() % Replicas], n);
  }

  template <class Count>
  FERMATA_DEVICE void merge_into(Count* result) const noexcept {
    this_block().sync();
    for (unsigned bin = this_block().thread_rank(); bin < Bins; bin += this_block().size()) {
      std::uint32_t sum = 0;
      for (unsigned replica = 0; replica < Replicas; ++replica) sum += counts_[bin][replica];
      detail::add_to_bin(result[bin], sum);
    }
  }

 private:
  std::uint32_t counts_[Bins][Replicas];
};

// The counts of one thread, in its registers: a local variable, for so few bins that in shared memory all lanes would
// meet. No atomic but in merge_into.
//
// Counts are packed, four to a register, so that add is a shift and an addition for each four bins; before one of them
// can overflow they go into counters of 32 bits. Those wrap around.
//
// Cost    Bins * 5 / 4 registers. merge_into: a reduction of the wave for each bin, two barriers of the block, one
//         relaxed atomic for each bin that is not empty; Bins * 4 bytes of shared memory.
template <unsigned Bins>
class register_histogram {
  static_assert(Bins > 0 && Bins <= 32,
                "fermata::register_histogram<Bins>: more than 32 bins do not fit into a thread's registers on any "
                "backend. Use privatized_histogram.");

 public:
  static constexpr unsigned bins = Bins;

  FERMATA_DEVICE register_histogram() noexcept : packed_{}, totals_{}, room_(most) {}

  // Counts one more in the bin. Pre: bin < Bins.
  FERMATA_DEVICE void add(unsigned bin) noexcept {
    // Registers have no index: the word that is not the bin's gets a zero.
    std::uint32_t const one = std::uint32_t{1} << (bin % 4 * 8);
    for (unsigned w = 0; w < words; ++w) packed_[w] += bin / 4 == w ? one : 0;
    if (--room_ == 0) unpack();
  }

  // What the calling thread has counted in the bin. Pre: bin < Bins.
  FERMATA_DEVICE std::uint32_t count(unsigned bin) const noexcept {
    std::uint32_t result = 0;
    for (unsigned b = 0; b < Bins; ++b) result += b == bin ? total(b) : 0;
    return result;
  }

  // Adds the counts of all threads of the block to result[Bins]. It is relaxed at device scope, as
  // privatized_histogram's. The counts stay.
  // Pre: all threads of the block call it.
  template <class Count>
  FERMATA_DEVICE void merge_into(Count* result) const noexcept {
    FERMATA_SHARED(sums, std::uint32_t[Bins]);
    unsigned const rank = this_block().thread_rank(), threads = this_block().size();
    // As in privatized_histogram: who clears a bin also reads it, in this call and in the next one.
    for (unsigned bin = rank; bin < Bins; bin += threads) sums[bin] = 0;
    this_block().sync();
    for (unsigned bin = 0; bin < Bins; ++bin) {
      std::uint32_t const sum = this_wave().reduce(total(bin), plus{});
      if (this_wave().lane() == 0) backend::count_in_block(&sums[bin], sum);
    }
    this_block().sync();
    for (unsigned bin = rank; bin < Bins; bin += threads) detail::add_to_bin(result[bin], sums[bin]);
  }

 private:
  static constexpr unsigned words = (Bins + 3) / 4, most = 255;

  FERMATA_DEVICE std::uint32_t total(unsigned bin) const noexcept {
    return totals_[bin] + ((packed_[bin / 4] >> (bin % 4 * 8)) & 0xFF);
  }

  FERMATA_DEVICE void unpack() noexcept {
    for (unsigned bin = 0; bin < Bins; ++bin) totals_[bin] = total(bin);
    for (unsigned w = 0; w < words; ++w) packed_[w] = 0;
    room_ = most;
  }

  std::uint32_t packed_[words];
  std::uint32_t totals_[Bins];
  unsigned room_;  // additions until a packed counter might overflow
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
