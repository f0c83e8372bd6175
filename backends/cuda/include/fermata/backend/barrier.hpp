// CUDA: mbarrier through libcu++'s cuda::ptx for a block's barrier in shared memory; atomics on a word everywhere else.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <cuda/ptx>
#include <type_traits>

#include <fermata/detail/generic/barrier.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// A word that is an mbarrier in shared memory and a phase_barrier in any other; where the kernel names the variable,
// the question costs nothing. Not cuda::barrier, for three reasons: it asks __isClusterShared first, which nvcc 13.0
// folds to "no" for an address it has found to be shared, so that a barrier reached by a pointer is initialised as an
// mbarrier and counted as a word, and its waits never end (NVIDIA/cccl#7259); its wait brings a clock and a sleep
// along; in other memory every arrival acquires.
template <class Completion>
class block_barrier : private detail::generic::phase_barrier<thread_scope::block, Completion> {
  using word_barrier = detail::generic::phase_barrier<thread_scope::block, Completion>;

 public:
  using token = std::uint64_t;

  static constexpr unsigned max_count = (1u << 20) - 1;  // an mbarrier counts in 20 bits

  FERMATA_DEVICE void init(unsigned expected, Completion completion) noexcept {
    if (in_hardware())
      ::cuda::ptx::mbarrier_init(mbarrier(), expected);
    else
      word_barrier::init(expected, completion);
  }
  FERMATA_DEVICE token arrive(unsigned n) noexcept { return in_hardware() ? count(n) : word_barrier::arrive(n); }
  FERMATA_DEVICE void arrive_and_wait(detail::call_site) noexcept { wait(arrive(1)); }
  FERMATA_DEVICE void arrive_and_drop() noexcept {
    if (in_hardware())
      drop();
    else
      word_barrier::arrive_and_drop();
  }
  // Looks once, by mbarrier.test_wait: for try_wait the hardware suspends the thread before it says no.
  FERMATA_DEVICE bool try_wait(token t) const noexcept {
    return in_hardware() ? is_over(t) : word_barrier::try_wait(static_cast<typename word_barrier::token>(t));
  }
  FERMATA_DEVICE void wait(token t) const noexcept {
    if (in_hardware())
      while (!suspend_for(t)) {
      }
    else
      word_barrier::wait(static_cast<typename word_barrier::token>(t));
  }

 private:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  FERMATA_DEVICE bool in_hardware() const noexcept { return __isShared(this) != 0; }
  FERMATA_DEVICE bool is_over(token t) const noexcept { return ::cuda::ptx::mbarrier_test_wait(mbarrier(), t); }
  FERMATA_DEVICE void drop() noexcept {  // which cuda::ptx does not have
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];"
                 :
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(this)))
                 : "memory");
  }
#if __CUDA_ARCH__ >= 900
  FERMATA_DEVICE token count(unsigned n) noexcept { return ::cuda::ptx::mbarrier_arrive(mbarrier(), n); }
  // Waits for a while that the hardware chooses.
  FERMATA_DEVICE bool suspend_for(token t) const noexcept { return ::cuda::ptx::mbarrier_try_wait(mbarrier(), t); }
#else
  FERMATA_DEVICE token count(unsigned n) noexcept {
    if (n > 1) (void)::cuda::ptx::mbarrier_arrive_no_complete(mbarrier(), n - 1);
    return ::cuda::ptx::mbarrier_arrive(mbarrier());
  }
  FERMATA_DEVICE bool suspend_for(token t) const noexcept { return is_over(t); }
#endif
#else
  FERMATA_DEVICE bool in_hardware() const noexcept { return false; }
  FERMATA_DEVICE bool is_over(token) const noexcept { return false; }
  FERMATA_DEVICE void drop() noexcept {}
  FERMATA_DEVICE token count(unsigned) noexcept { return 0; }
  FERMATA_DEVICE bool suspend_for(token) const noexcept { return false; }
#endif

  FERMATA_DEVICE std::uint64_t* mbarrier() const noexcept {
    static_assert(sizeof(block_barrier) == sizeof(std::uint64_t) && alignof(block_barrier) == alignof(std::uint64_t));
    return reinterpret_cast<std::uint64_t*>(const_cast<block_barrier*>(this));
  }
};

template <thread_scope S, class Completion>
using barrier_form = std::conditional_t<S == thread_scope::block && std::is_same_v<Completion, no_completion>,
                                        block_barrier<Completion>, detail::generic::phase_barrier<S, Completion>>;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
