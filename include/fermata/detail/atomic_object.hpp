// atomic<T, Scope>: an atomic_ref that owns its object. Included by <fermata/atomic.hpp>, behind atomic_ref.
#pragma once

#include <fermata/atomic.hpp>
#include <fermata/detail/atomic_op.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// An object of type T that is accessed by atomics of one scope alone. Every member does what atomic_ref's does, with
// the same conditions, orders and instructions; there are no defaults and no operators here either.
//
// Not copyable. Trivially default constructible, so that FERMATA_SHARED and FERMATA_GLOBAL accept it: the value is
// then indeterminate in shared memory (one thread stores, then the block synchronises) and zero in a device global.
// It has the size, the alignment and the bits of a T.
template <class T, thread_scope Scope>
class atomic {
  using ref_type = atomic_ref<T, Scope>;

 public:
  using value_type = T;
  using difference_type = typename ref_type::difference_type;
  static constexpr thread_scope scope = Scope;
  static constexpr bool is_always_lock_free = true;

  atomic() noexcept = default;
  // Not an atomic operation.
  FERMATA_FN constexpr explicit atomic(T value) noexcept : value_(value) {}
  atomic(atomic const&) = delete;
  atomic& operator=(atomic const&) = delete;

  FERMATA_DEVICE bool is_lock_free() const noexcept { return true; }

  template <std::memory_order O>
  [[nodiscard]] FERMATA_DEVICE T load(memory_order_tag<O> order) const noexcept {
    return ref().load(order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE void store(T value, memory_order_tag<O> order) noexcept {
    ref().store(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T exchange(T value, memory_order_tag<O> order) noexcept {
    return ref().exchange(value, order);
  }

  template <std::memory_order OnSuccess, std::memory_order OnFailure>
  FERMATA_DEVICE bool compare_exchange_strong(T& expected, T desired, memory_order_tag<OnSuccess> success,
                                              memory_order_tag<OnFailure> failure) noexcept {
    return ref().compare_exchange_strong(expected, desired, success, failure);
  }
  template <std::memory_order O>
  FERMATA_DEVICE bool compare_exchange_strong(T& expected, T desired, memory_order_tag<O> order) noexcept {
    return ref().compare_exchange_strong(expected, desired, order);
  }
  template <std::memory_order OnSuccess, std::memory_order OnFailure>
  FERMATA_DEVICE bool compare_exchange_weak(T& expected, T desired, memory_order_tag<OnSuccess> success,
                                            memory_order_tag<OnFailure> failure) noexcept {
    return ref().compare_exchange_weak(expected, desired, success, failure);
  }
  template <std::memory_order O>
  FERMATA_DEVICE bool compare_exchange_weak(T& expected, T desired, memory_order_tag<O> order) noexcept {
    return ref().compare_exchange_weak(expected, desired, order);
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_add(difference_type value, memory_order_tag<O> order) noexcept {
    return ref().fetch_add(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_sub(difference_type value, memory_order_tag<O> order) noexcept {
    return ref().fetch_sub(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_add(T value, memory_order_tag<O> order, coarse_grained_t promise) noexcept {
    return ref().fetch_add(value, order, promise);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_sub(T value, memory_order_tag<O> order, coarse_grained_t promise) noexcept {
    return ref().fetch_sub(value, order, promise);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_and(T value, memory_order_tag<O> order) noexcept {
    return ref().fetch_and(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_or(T value, memory_order_tag<O> order) noexcept {
    return ref().fetch_or(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_xor(T value, memory_order_tag<O> order) noexcept {
    return ref().fetch_xor(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_min(T value, memory_order_tag<O> order) noexcept {
    return ref().fetch_min(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_max(T value, memory_order_tag<O> order) noexcept {
    return ref().fetch_max(value, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_inc_wrap(T limit, memory_order_tag<O> order) noexcept {
    return ref().fetch_inc_wrap(limit, order);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_dec_wrap(T limit, memory_order_tag<O> order) noexcept {
    return ref().fetch_dec_wrap(limit, order);
  }

  template <std::memory_order O>
  FERMATA_DEVICE void wait(T old, memory_order_tag<O> order) const noexcept {
    ref().wait(old, order);
  }
  FERMATA_DEVICE void notify_one() noexcept {}
  FERMATA_DEVICE void notify_all() noexcept {}

 private:
  FERMATA_DEVICE ref_type ref() const noexcept { return ref_type(const_cast<T&>(value_)); }

  T value_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
