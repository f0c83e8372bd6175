// Any value of up to four bytes and the number of the step it belongs to, in one 64-bit word.
//
// Idea: NCCL's LL protocol (src/device/prims_ll.h). With value and epoch in one 8-byte word, which both vendors
// move in one piece, nothing need be ordered, and nothing need be reset: an old value carries an old epoch.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/backend/atomic.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// A slot for arbitrary data.
//
// Order   publish() orders nothing but its own word; see sentinel.
// Pre     an epoch is used once per slot, until all 2^32 - 1 others have passed; a zeroed slot holds epoch 0, so
//         start at 1. The publisher must not overwrite a value that a slow reader still needs: keep two slots and
//         alternate. The publisher is not a lane of the waiter's wave.
// Emits   CUDA: st.relaxed.<scope>.b64, ld.relaxed.<scope>.b64. HIP: global_store/load_dwordx2.
// Cost    one one-way trip, twice the bytes of a sentinel, no reset.
template <class T, thread_scope Scope = thread_scope::device>
class flagged {
  static_assert(sizeof(T) <= 4 && std::is_trivially_copyable_v<T>,
                "fermata::flagged<T>: T must be trivially copyable and have at most 4 bytes, so that value and epoch "
                "share one 8-byte word. Send larger data in several slots, or behind a counter.");

 public:
  using value_type = T;

  FERMATA_FN constexpr flagged() noexcept : word_(0) {}

  // Fills the slot with the value of step `epoch`.
  FERMATA_DEVICE void publish(T value, std::uint32_t epoch) noexcept {
    backend::atomic_store<Scope, std::memory_order_relaxed>(&word_, pack(value, epoch));
  }

  // Waits until the slot holds the value of step `epoch` and returns it.
  FERMATA_DEVICE T await(std::uint32_t epoch) const noexcept {
    return value_of(backend::atomic_await<Scope, std::memory_order_relaxed>(
        &word_, [epoch](std::uint64_t seen) { return epoch_of(seen) == epoch; }));
  }

  // Whether the slot holds the value of step `epoch` now.
  FERMATA_DEVICE bool ready(std::uint32_t epoch) const noexcept {
    return epoch_of(backend::atomic_load<Scope, std::memory_order_relaxed>(&word_)) == epoch;
  }

  // The word as it lies in memory: the epoch above, the value below.
  FERMATA_FN static std::uint64_t pack(T value, std::uint32_t epoch) noexcept {
    std::uint32_t low = 0;
    __builtin_memcpy(&low, &value, sizeof(T));
    return std::uint64_t{epoch} << 32 | low;
  }
  FERMATA_FN static std::uint32_t epoch_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 32);
  }
  FERMATA_FN static T value_of(std::uint64_t word) noexcept {
    std::uint32_t const low = static_cast<std::uint32_t>(word);
    T value{};
    __builtin_memcpy(&value, &low, sizeof(T));
    return value;
  }

 private:
  alignas(8) std::uint64_t word_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
