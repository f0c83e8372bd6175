// A phase barrier of one 64-bit word, for every scope and every target that has no barrier in hardware.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <cstdint>
#include <type_traits>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/completion.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail::generic {

// The word holds the phase (16 bits), the arrivals that each phase expects (24) and those that this one still lacks
// (24). An arrival is one read-modify-write, and its token, whether it is the last one, and what the next phase
// expects all follow from the value that it returns. The phase wraps around by itself; a token is compared for
// equality, and is good for the phase it was taken in and the next.
//
// Orders: each arrival releases. The last one opens the next phase by a read-modify-write of the same word, so that
// the word's value still belongs to the release sequence of every arrival, and a waiter that acquires it has all of
// them; the last arriver need not acquire itself, unless a completion of the user's runs between the two.
template <thread_scope S, class Completion>
class phase_barrier : private completion_holder<Completion> {
 public:
  using token = std::uint32_t;  // the upper half of the word, in which the phase is

  static constexpr unsigned max_count = (1u << 24) - 1;

  FERMATA_DEVICE void init(unsigned expected, Completion completion) noexcept {
    this->hold(completion);
    backend::atomic_store<S, std::memory_order_relaxed>(&word_, std::uint64_t{expected} << 24 | expected);
  }

  FERMATA_DEVICE token arrive(unsigned n) noexcept { return arrive(n, n); }

  FERMATA_DEVICE void arrive_and_wait(call_site) noexcept { wait(arrive(1)); }

  FERMATA_DEVICE void arrive_and_drop() noexcept { arrive(1, one_expected | 1); }

  FERMATA_DEVICE static std::uint32_t phase_of(token t) noexcept { return t >> 16; }

  FERMATA_DEVICE bool try_wait(token t) const noexcept {
    return is_over(t, backend::atomic_load<S, std::memory_order_acquire>(&word_));
  }

  FERMATA_DEVICE void wait(token t) const noexcept {
    backend::atomic_await<S, std::memory_order_acquire>(&word_, [t](std::uint64_t seen) { return is_over(t, seen); });
  }

 private:
  static constexpr std::uint64_t one_expected = std::uint64_t{1} << 24, one_phase = std::uint64_t{1} << 48;

  FERMATA_DEVICE static bool is_over(token t, std::uint64_t seen) noexcept {
    return phase_of(static_cast<token>(seen >> 32) ^ t) != 0;
  }

  // `taken` is what the arrival takes off the word: n lacking arrivals, and for a drop one expected arrival.
  FERMATA_DEVICE token arrive(unsigned n, std::uint64_t taken) noexcept {
    std::uint64_t const old = backend::atomic_fetch_add<S, std::memory_order_release>(&word_, std::uint64_t{0} - taken);
    if ((old & max_count) == n) {
      std::uint64_t const expected = (old - taken) >> 24 & max_count;
      // Nobody else may arrive now, so the word can only have this value.
      std::uint64_t const next = old - taken + one_phase + expected;
      if constexpr (std::is_same_v<Completion, no_completion>) {
        (void)backend::atomic_exchange<S, std::memory_order_relaxed>(&word_, next);
      } else {
        backend::atomic_thread_fence<S, std::memory_order_acquire>();
        this->complete();
        (void)backend::atomic_exchange<S, std::memory_order_release>(&word_, next);
      }
    }
    return static_cast<token>(old >> 32);
  }

  alignas(8) std::uint64_t word_;
};

}  // namespace detail::generic
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
