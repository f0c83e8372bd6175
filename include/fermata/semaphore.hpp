// Permits: at most so many at the same time.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// cuda::counting_semaphore on every backend: acquire takes a permit and waits while there is none, release gives
// permits back, and whoever releases need not be who acquired.
//
// Max    what the count never exceeds. Pre of release; not checked.
// Life   trivial, as barrier: nothing is there before init().
// Order  release releases, acquire and a successful try_acquire acquire, at Scope: what was done before a permit was
//        given back is visible to whoever takes it. So a semaphore of one permit is a lock.
// Pre    One elected lane of a wave acquires, and the wave works in its name:
//          if (this_wave().elect()) s.acquire();
//          this_wave().sync();  … the critical section, by all lanes …  this_wave().sync();
//          if (this_wave().elect()) s.release();
//        Lanes of one wave that compete for permits never end on AMD, where a lane that waits keeps the lane that holds
//        the permit from running. Between blocks, who holds a permit must be resident: launch_cooperative, or give
//        permits back in the same block without waiting for another one in between. Not fair: a waiter may be overtaken
//        for ever by others who come back.
// Emits  CUDA and HIP: relaxed polls until there is a permit, then a 32-bit compare-exchange that acquires; release is
//        one atomic add.
// Errors none at run time on a GPU. The host reports errc::deadlock where all wait and nobody can release.
template <thread_scope Scope, std::uint32_t Max = 0x7FFFFFFFu>
class counting_semaphore {
  static_assert(Scope != thread_scope::thread && Scope != thread_scope::wave,
                "fermata::counting_semaphore: lanes of one wave must not wait for each other on any backend. "
                "Use this_wave() to order them, or a semaphore of thread_scope_block.");
  static_assert(Max > 0, "fermata::counting_semaphore: Max is the number of permits, at least 1 on every backend.");

 public:
  static constexpr thread_scope scope = Scope;

  FERMATA_FN static constexpr std::uint32_t max_count() noexcept { return Max; }

  counting_semaphore() = default;

  // Sets the number of permits, at most max_count(). Pre: one thread calls it, and a barrier that all participants know
  // stands between it and them.
  FERMATA_DEVICE void init(std::uint32_t desired) noexcept {
    backend::atomic_store<Scope, std::memory_order_relaxed>(&permits_, desired);
  }

  // Takes a permit; waits until there is one.
  FERMATA_DEVICE void acquire() noexcept {
    for (;;) {
      std::uint32_t seen = backend::atomic_await<Scope, std::memory_order_relaxed>(
          &permits_, [](std::uint32_t permits) { return permits != 0; });
      if (take(seen)) return;
    }
  }

  // Takes a permit if there is one. It fails only if there was none.
  [[nodiscard]] FERMATA_DEVICE bool try_acquire() noexcept {
    std::uint32_t seen = backend::atomic_load<Scope, std::memory_order_relaxed>(&permits_);
    while (seen != 0)
      if (take(seen)) return true;
    return false;
  }

  // Gives n permits back. Pre: the count then is at most max_count().
  FERMATA_DEVICE void release(std::uint32_t n = 1) noexcept {
    (void)backend::atomic_fetch_add<Scope, std::memory_order_release>(&permits_, n);
  }

 private:
  // The change from `seen` to one less; if it was not `seen` any more, `seen` is what it was.
  FERMATA_DEVICE bool take(std::uint32_t& seen) noexcept {
    return backend::atomic_compare_exchange<Scope, std::memory_order_acquire, std::memory_order_relaxed>(
        &permits_, seen, seen - 1);
  }

  std::uint32_t permits_;
};

template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
