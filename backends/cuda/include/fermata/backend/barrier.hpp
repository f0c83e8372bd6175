// CUDA: mbarrier through libcu++ for the block; for wider scopes atomics on a word. libcu++ has the same word there,
// but every arrival of its acquires, too, which is for the last one only, and its waits sleep between polls.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <cstdint>
#include <cuda/barrier>
#include <type_traits>

#include <fermata/detail/generic/barrier.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

using native_block_barrier = ::cuda::barrier<::cuda::thread_scope_block>;

// libcu++'s init is a friend, found by its argument alone; inside a class with a member of that name it is not.
FERMATA_DEVICE inline void init_native(native_block_barrier* b, unsigned expected) noexcept {
  init(b, static_cast<std::ptrdiff_t>(expected));
}

// The hardware's barrier in shared memory. libcu++ tells shared from other memory, where it falls back to atomics; in a
// kernel that names the variable that costs nothing.
template <class Completion>
class block_barrier {
  using native = native_block_barrier;

 public:
  using token = native::arrival_token;

  static constexpr unsigned max_count = (1u << 20) - 1;  // an mbarrier counts in 20 bits

  FERMATA_DEVICE void init(unsigned expected, Completion) noexcept { init_native(get(), expected); }
  FERMATA_DEVICE token arrive(unsigned n) noexcept { return get()->arrive(static_cast<std::ptrdiff_t>(n)); }
  FERMATA_DEVICE void arrive_and_wait(detail::call_site) noexcept { wait(arrive(1)); }
  FERMATA_DEVICE void arrive_and_drop() noexcept { get()->arrive_and_drop(); }
  // Looks once. libcu++'s is mbarrier.try_wait, for which the hardware suspends the thread before it says no.
  FERMATA_DEVICE bool try_wait(token t) const noexcept {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (__isShared(get())) {
      int done;
      asm volatile(
          "{\n\t"
          ".reg .pred p;\n\t"
          "mbarrier.test_wait.shared.b64 p, [%1], %2;\n\t"
          "selp.b32 %0, 1, 0, p;\n\t"
          "}"
          : "=r"(done)
          : "r"(static_cast<unsigned>(__cvta_generic_to_shared(get()))), "l"(t)
          : "memory");
      return done != 0;
    }
#endif
    return suspend_for(static_cast<token&&>(t));
  }
  // Not native::wait, which brings a clock and a sleep along for the case that the hardware's suspension was in vain.
  FERMATA_DEVICE void wait(token t) const noexcept {
    while (!suspend_for(t)) {
    }
  }

 private:
  // mbarrier.try_wait: waits for a while that the hardware chooses.
  FERMATA_DEVICE bool suspend_for(token t) const noexcept {
    return get()->try_wait_for(static_cast<token&&>(t), ::cuda::std::chrono::nanoseconds(0));
  }

  FERMATA_DEVICE native* get() const noexcept {
    static_assert(sizeof(native) == sizeof(std::uint64_t) && alignof(native) <= alignof(std::uint64_t));
    return reinterpret_cast<native*>(const_cast<std::uint64_t*>(&word_));
  }

  // cuda::barrier has a destructor, and shared memory wants a trivial type.
  alignas(8) std::uint64_t word_;
};

template <thread_scope S, class Completion>
using barrier_form = std::conditional_t<S == thread_scope::block && std::is_same_v<Completion, no_completion>,
                                        block_barrier<Completion>, detail::generic::phase_barrier<S, Completion>>;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
