// The CPU's side of a system-scope atomic: flags and counters that a running kernel and the CPU share.
//
// A header of its own, of the host half: it compiles in plain C++ files, where device code does not.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <type_traits>

#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// A reference to an object in a `mapped` or `managed` buffer (buffer::host_data()) that kernels access with
// atomic_ref<T, thread_scope_system>. The members are those of atomic_ref; order has no default here, either.
//
// Pre     the kernel names thread_scope_system: what a narrower scope releases may never arrive here.
//         A word is changed by one side only, CPU or kernel, unless the bus has atomics for both (NVLink-C2C, AMD's
//         APUs): over PCIe an addition of the GPU and one of the CPU at the same time can lose one of them, and on some
//         machines other operations of a GPU than load and store have no effect at all (ROCm/clr issue 285).
// Cost    std::atomic_ref's.
template <class T>
class host_atomic_ref {
  static_assert(std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "fermata::host_atomic_ref<T>: T must be trivially copyable and have 1, 2, 4 or 8 bytes, as for "
                "fermata::atomic_ref<T, thread_scope_system>, which is its other side.");
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>,
                "fermata::host_atomic_ref<T>: T has padding bits, so comparing bits would not compare values. "
                "Remove the padding.");

 public:
  using value_type = T;
  static constexpr thread_scope scope = thread_scope::system;

  explicit host_atomic_ref(T& object) noexcept : ref_(object) {}

  template <std::memory_order O>
  [[nodiscard]] T load(memory_order_tag<O>) const noexcept {
    static_assert(detail::valid_for_load(O),
                  "fermata::host_atomic_ref::load: the order must be relaxed, acquire or seq_cst.");
    return ref_.load(O);
  }
  template <std::memory_order O>
  void store(T value, memory_order_tag<O>) const noexcept {
    static_assert(detail::valid_for_store(O),
                  "fermata::host_atomic_ref::store: the order must be relaxed, release or seq_cst.");
    ref_.store(value, O);
  }
  template <std::memory_order O>
  T exchange(T value, memory_order_tag<O>) const noexcept {
    return ref_.exchange(value, O);
  }
  template <std::memory_order OnSuccess, std::memory_order OnFailure>
  bool compare_exchange_strong(T& expected, T desired, memory_order_tag<OnSuccess>,
                               memory_order_tag<OnFailure>) const noexcept {
    static_assert(detail::valid_for_load(OnFailure),
                  "fermata::host_atomic_ref::compare_exchange: the failure order must be relaxed, acquire or seq_cst.");
    return ref_.compare_exchange_strong(expected, desired, OnSuccess, OnFailure);
  }
  template <std::memory_order O>
  bool compare_exchange_strong(T& expected, T desired, memory_order_tag<O>) const noexcept {
    return ref_.compare_exchange_strong(expected, desired, O, detail::failure_order(O));
  }
  template <std::memory_order O>
  T fetch_add(T value, memory_order_tag<O>) const noexcept {
    return ref_.fetch_add(value, O);
  }
  template <std::memory_order O>
  T fetch_sub(T value, memory_order_tag<O>) const noexcept {
    return ref_.fetch_sub(value, O);
  }
  template <std::memory_order O>
  T fetch_and(T value, memory_order_tag<O>) const noexcept {
    return ref_.fetch_and(value, O);
  }
  template <std::memory_order O>
  T fetch_or(T value, memory_order_tag<O>) const noexcept {
    return ref_.fetch_or(value, O);
  }
  template <std::memory_order O>
  T fetch_xor(T value, memory_order_tag<O>) const noexcept {
    return ref_.fetch_xor(value, O);
  }

  // Waits until the value differs from `old`, polling and yielding the CPU in between; returns whether it did so
  // before the deadline. The load that ends the wait has order O. A kernel that never answers, because it has failed,
  // say, must not hang the program: there is no wait without a deadline here.
  template <std::memory_order O, class Rep, class Period>
  [[nodiscard]] bool wait_for(T old, memory_order_tag<O> order, std::chrono::duration<Rep, Period> limit) const {
    auto const deadline = std::chrono::steady_clock::now() + limit;
    while (bits_equal(load(order), old)) {
      if (std::chrono::steady_clock::now() >= deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

 private:
  // Bits, because a NaN is unequal to itself and would end a wait for a change.
  static bool bits_equal(T const& a, T const& b) noexcept { return __builtin_memcmp(&a, &b, sizeof(T)) == 0; }

  std::atomic_ref<T> ref_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
