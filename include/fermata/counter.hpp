// A number that only grows, and waiting until it has come far enough: the dependency counter of persistent kernels.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Producers signal what they have finished, consumers wait for as much of it as they need. Nobody resets anything:
// step k of a loop waits for k times what one step signals.
//
// Life   trivial, so that FERMATA_SHARED and buffer<T> take it. It starts at whatever its memory holds: fill the buffer
//        with zeros, or init() it. Counters that different blocks use belong on lines of their own (128 bytes cover
//        both vendors' granules): those who poll one slow down those who signal its neighbours.
// Order  signal releases, await and a successful ready acquire, at Scope: who has waited for a target sees what every
//        thread whose signal is counted in it did before.
// Many   A target says how many signals, not whose. Where several producers signal one counter again and again, none
//        may begin the next step before all have finished this one, or it is counted for one that is late: keep a
//        counter for each, or let what they wait for anyway hold them together.
// Wraps  safely: 32 bits, compared by their signed distance. A wait and the count may be 2^31 - 1 apart.
// Pre    A wait must not depend on another lane of the same wave; let one thread wait for its block (await_block).
//        Blocks that wait for each other are launched by launch_cooperative.
// Emits  CUDA: red/atom.add.release, ld.acquire polls. HIP: release fence with its wait, one atomic add without the old
//        value; relaxed polls and one acquire at the end.
// Cost   a release of that scope (on gfx942 a write-back of the L2), one one-way trip, an acquire: signal for a block
//        at once where its threads work together (signal_block).
// Errors none at run time on a GPU: a target that nobody reaches is waited for for ever. The host reports
//        errc::deadlock, with who waits for which word.
template <thread_scope Scope = thread_scope::device>
class counter {
  static_assert(Scope != thread_scope::thread && Scope != thread_scope::wave,
                "fermata::counter: lanes of one wave must not wait for each other on any backend. "
                "Use this_wave().sync() to order them, or a counter of thread_scope_block.");

 public:
  static constexpr thread_scope scope = Scope;

  counter() = default;

  // Sets the count. Pre: one thread calls it, and a barrier that all participants know stands between it and them.
  FERMATA_DEVICE void init(std::uint32_t count = 0) noexcept {
    backend::atomic_store<Scope, std::memory_order_relaxed>(&count_, count);
  }

  // Counts n more, and makes what the calling thread did before visible to those who wait for it.
  FERMATA_DEVICE void signal(std::uint32_t n = 1) noexcept {
    (void)backend::atomic_fetch_add<Scope, std::memory_order_release>(&count_, n);
  }

  // The same for what all threads of the block did before: a block barrier, then one leader's signal. That release
  // covers the block on every backend (this_block().sync() says why). Pre: all threads of the block call it.
  FERMATA_DEVICE void signal_block(std::uint32_t n = 1) noexcept {
    this_block().sync();
    if (backend::leads_block()) signal(n);
  }

  // Waits until the count has reached `target`.
  FERMATA_DEVICE void await(std::uint32_t target) const noexcept {
    (void)backend::atomic_await<Scope, std::memory_order_acquire>(
        &count_, [target](std::uint32_t seen) { return has_reached(seen, target); });
  }

  // The same for a block: one leader waits, then a block barrier. Pre: all threads of the block call it.
  FERMATA_DEVICE void await_block(std::uint32_t target) const noexcept {
    if (backend::leads_block()) await(target);
    this_block().sync();
  }

  // Whether the count has reached `target`; looks once. If it has, it acquires as await does.
  [[nodiscard]] FERMATA_DEVICE bool ready(std::uint32_t target) const noexcept {
    return has_reached(backend::atomic_load<Scope, std::memory_order_acquire>(&count_), target);
  }

  // The count, to look how far the others are: relaxed, it makes nothing else visible.
  [[nodiscard]] FERMATA_DEVICE std::uint32_t load() const noexcept {
    return backend::atomic_load<Scope, std::memory_order_relaxed>(&count_);
  }

 private:
  FERMATA_DEVICE static bool has_reached(std::uint32_t seen, std::uint32_t target) noexcept {
    return static_cast<std::int32_t>(seen - target) >= 0;
  }

  std::uint32_t count_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
