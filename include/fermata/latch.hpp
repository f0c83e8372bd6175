// A barrier for one use: a count that goes down once.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// cuda::latch on every backend. Whoever waits goes on when the count has reached zero; those who count down need not
// wait, and need not be those who wait.
//
// Scope, life, order and precondition of a wait are those of barrier: trivial, so that FERMATA_SHARED and buffer<T>
// take it; nothing is there before init(); count_down releases, a wait and a successful try_wait acquire; a wait must
// not depend on another lane of the same wave, so let whole waves count down together and then wait together, or one
// elected lane. To use it again, init() it between two barriers.
//
// Emits  CUDA and HIP: one 32-bit atomic add that releases, by one lane where a wave counts down together on HIP;
//        acquire loads, or relaxed loads and one acquire at the end (HIP).
// Errors none at run time on a GPU: a latch that was never initialised, or counted too low, waits for ever. The host
//        reports errc::deadlock.
template <thread_scope Scope>
class latch {
  static_assert(Scope != thread_scope::thread && Scope != thread_scope::wave,
                "fermata::latch: lanes of one wave must not wait for each other on any backend. "
                "Use this_wave().sync(), or a latch of thread_scope_block.");

 public:
  static constexpr thread_scope scope = Scope;

  // The largest count.
  FERMATA_FN static constexpr unsigned max_count() noexcept { return 0xFFFFFFFFu; }

  latch() = default;

  // Sets the count. Pre: one thread calls it, and a barrier that all participants know stands between it and them.
  FERMATA_DEVICE void init(unsigned expected) noexcept {
    backend::atomic_store<Scope, std::memory_order_relaxed>(&count_, std::uint32_t{expected});
  }

  // Takes n off the count, without waiting. Pre: n is at most the count.
  FERMATA_DEVICE void count_down(unsigned n = 1) noexcept {
    (void)backend::atomic_fetch_add<Scope, std::memory_order_release>(&count_, std::uint32_t{0} - n);
  }

  // Whether the count is zero.
  [[nodiscard]] FERMATA_DEVICE bool try_wait() const noexcept {
    return backend::atomic_load<Scope, std::memory_order_acquire>(&count_) == 0;
  }

  // Waits until the count is zero.
  FERMATA_DEVICE void wait() const noexcept {
    (void)backend::atomic_await<Scope, std::memory_order_acquire>(&count_,
                                                                  [](std::uint32_t seen) { return seen == 0; });
  }

  FERMATA_DEVICE void arrive_and_wait(unsigned n = 1) noexcept {
    count_down(n);
    wait();
  }

 private:
  std::uint32_t count_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
