// A barrier with storage of its own: for part of a block, between blocks, with work between arriving and waiting.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/backend/barrier.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/completion.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// cuda::barrier on every backend. A phase ends when the expected number of arrivals has come in; the next one then
// begins by itself. Each thread, or a leader for several of them, arrives once a phase and waits when it needs the
// others.
//
// Scope       block, cluster, device or system: what may take part. All arrivals and waits use the same barrier object,
//             in memory that all of them reach: shared memory for a block, a buffer for more.
// Completion  called once a phase, without arguments, by the last thread to arrive, before anybody's wait ends: it sees
//             what was done before all arrivals, and all waiters see what it did. Of a trivial type; it must not throw.
// Life        trivial, so that FERMATA_SHARED and buffer<T> take it; nothing is there before init(), and nothing has to
//             be destroyed.
// Order       arrive releases, wait and a successful try_wait acquire, at Scope: what any thread did before its arrival
//             in a phase is visible to every thread whose wait for that phase has ended. With a leader that arrives for
//             its wave, put this_wave().sync() between the others' work and the arrival, and behind the wait.
// Pre         A wait must not depend on another lane of the same wave. Either all lanes of the wave that take part call
//             arrive together and then wait together, or one elected lane arrives for all (arrive(n)) and waits.
//             `if (lane < 16) b.arrive_and_wait(); else b.arrive_and_wait();` never ends on AMD, where the lanes of the
//             other branch do not run while these wait; nor does a wait for an arrival that another lane of
//             its wave makes later. The host backend reports both: lanes of a wave that meet in arrive_and_wait() of
//             different lines as errc::barrier_misuse, and lanes that wait while nobody can arrive any more as
//             errc::deadlock, with who waits for which word.
//             Blocks that wait for each other are launched by launch_cooperative.
// Emits       CUDA, block scope, no completion, in shared memory: mbarrier.arrive, mbarrier.try_wait. Otherwise, and
//             on HIP and the host: one 64-bit atomic add that releases, by one lane where a wave arrives together; the
//             last arrival one more; waits poll by relaxed or acquire loads of that word.
// Cost        not measured yet. Wider than a block every arrival is a release of that scope (on gfx942 a write-back of
//             the L2), so let one leader of each block arrive, between two block barriers.
// Errors      none at run time on a GPU: a barrier that was never initialised, or a wrong count, waits for ever.
//
// Transaction barriers (bytes of an asynchronous copy as arrivals) stay the vendor's; see expect_tx().
template <thread_scope Scope, class Completion = no_completion>
class barrier {
  static_assert(Scope != thread_scope::thread && Scope != thread_scope::wave,
                "fermata::barrier: lanes of one wave must not wait for each other on any backend. "
                "Use this_wave().sync(), or a barrier of thread_scope_block.");
  static_assert(std::is_trivial_v<Completion>,
                "fermata::barrier: the completion lives in the barrier, where no constructor runs on any backend. Give "
                "it a trivial type: a struct of pointers and numbers with an operator().");

  using implementation = backend::barrier_form<Scope, Completion>;

 public:
  static constexpr thread_scope scope = Scope;

  // What an arrival leaves for its wait: good for the phase it was made in, until the end of the next one.
  class [[nodiscard]] arrival_token {
    friend class barrier;
    FERMATA_DEVICE explicit arrival_token(typename implementation::token t) noexcept : token_(t) {}
    typename implementation::token token_;
  };

  // The most arrivals that a phase can expect: at least 2^20 - 1.
  FERMATA_FN static constexpr unsigned max_count() noexcept { return implementation::max_count; }

  barrier() = default;

  // Begins the first phase, and says how many arrivals every phase expects: at most max_count().
  // Pre: one thread calls it, and a barrier that all participants know stands between it and their first arrival:
  // this_block().sync(), or for more than a block the end of the kernel or a grid barrier.
  FERMATA_DEVICE void init(unsigned expected, Completion completion = {}) noexcept { form_.init(expected, completion); }

  // Arrives n times in the current phase, without waiting. Pre: 0 < n, and the phase still lacks n arrivals.
  [[nodiscard]] FERMATA_DEVICE arrival_token arrive(unsigned n = 1) noexcept { return arrival_token(form_.arrive(n)); }

  // Waits until the phase of the token is over.
  FERMATA_DEVICE void wait(arrival_token token) const noexcept { form_.wait(token.token_); }

  // Whether the phase of the token is over; looks once. Emits  CUDA, block scope: mbarrier.test_wait.
  [[nodiscard]] FERMATA_DEVICE bool try_wait(arrival_token token) const noexcept {
    return form_.try_wait(token.token_);
  }

  FERMATA_DEVICE void arrive_and_wait(detail::call_site site = detail::call_site::here()) noexcept {
    form_.arrive_and_wait(site);
  }

  // Arrives once, and lets all phases after this one expect one arrival less.
  FERMATA_DEVICE void arrive_and_drop() noexcept { form_.arrive_and_drop(); }

  // Refused: bytes that an asynchronous copy still has to deliver count as arrivals on some NVIDIA hardware only, and
  // they move through a proxy of its own that fermata's orders do not cover.
  template <class Bytes>
  FERMATA_DEVICE void expect_tx(Bytes) noexcept {
    static_assert(!std::is_same_v<Bytes, Bytes>,
                  "fermata::barrier::expect_tx: transaction barriers are refused on every backend: the asynchronous "
                  "proxy has orders of its own. Use the vendor's: cuda::barrier and cuda::device::barrier_expect_tx.");
  }

 private:
  implementation form_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
