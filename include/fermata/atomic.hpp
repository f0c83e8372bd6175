// Scoped atomics.
//
// Neither the scope nor the order has a default, and there are no operators: the narrowest sufficient scope
// and the weakest sufficient order are the caller's decision, they can cost a factor of 50, and so they are
// visible at every call. Everything is known at compile time.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <type_traits>

#include <fermata/backend/atomic.hpp>
#include <fermata/detail/atomic_op.hpp>
#include <fermata/detail/generic/atomic.hpp>
#include <fermata/detail/check.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// True if the target moves so many bytes in one atomic instruction: 1, 2, 4, 8 everywhere; 16 on sm_90 and later and on
// x86-64 hosts. Ask for 16 in device code: the answer is that of the target for which it is compiled.
template <std::size_t Bytes>
inline constexpr bool is_atomic_size =
    Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || (Bytes == 16 && backend::has_16_byte_atomics);

// A promise about the memory of one call (see atomic_ref::fetch_add).
struct coarse_grained_t {};
inline constexpr coarse_grained_t coarse_grained{};

// A reference to an object that is accessed atomically, visible to the threads inside `Scope`.
//
// T       an integer, bool, enum, pointer, float, double or any other trivially copyable type of 1, 2, 4 or
//         8 bytes without padding bits; of 16 bytes where is_atomic_size<16>. Anything that could not be
//         lock-free is a compile error; there are no hidden lock tables.
// Pre     the object is aligned to required_alignment, lives in memory that the threads of the scope share
//         (not a local variable), and is accessed by nothing but atomics of the same size while any of them
//         may race. All accesses that are meant to synchronise name scopes that include each other.
// Errors  none at run time; a build with FERMATA_ENABLE_ASSERTIONS reports a misaligned object.
// Cost    the native instruction where the target has one (docs/reference.md has the table).
//
// Emits   CUDA: ld/st/atom with .relaxed/.acquire/.release/.acq_rel and .cta/.gpu/.sys, through libcu++.
//         HIP:  flat/global loads, stores and atomics with the cache bits of the scope; every release is
//               write-back, hard wait, then the relaxed operation.
//         host: a call into the executor; a load or a failed compare-exchange may switch to another lane.
template <class T, thread_scope Scope>
class atomic_ref {
  static_assert(std::is_trivially_copyable_v<T>,
                "fermata::atomic_ref<T>: T is not trivially copyable; no backend can move it in one instruction. "
                "Keep an index or a pointer to it in the atomic instead.");
  static_assert(sizeof(T) != 16 || is_atomic_size<16>,
                "fermata::atomic_ref<T>: 16 bytes at once need CUDA's sm_90 or an x86-64 host; no AMD GPU and no older "
                "NVIDIA GPU has such an atomic. Ask fermata::is_atomic_size<16> first, or split T into words.");
  static_assert(detail::has_word_size<T> || sizeof(T) == 16,
                "fermata::atomic_ref<T>: sizeof(T) is not 1, 2, 4 or 8; no backend has a lock-free instruction for "
                "it. Split it into words, or guard it with a lock.");
  static_assert(is_padding_free<T>::value || std::is_same_v<T, bool>,
                "fermata::atomic_ref<T>: T has padding bits (or hides floats), so comparing bits would not compare "
                "values. Remove the padding; if there is none, specialise fermata::is_padding_free<T>.");
  static_assert(alignof(T) == sizeof(T),
                "fermata::atomic_ref<T>: T is not aligned to its size; a misaligned atomic traps or tears on every "
                "GPU backend. Declare T with alignas(sizeof(T)).");

 public:
  using value_type = T;
  using difference_type = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
  static constexpr thread_scope scope = Scope;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;

  FERMATA_DEVICE explicit atomic_ref(T& object) noexcept : word_(reinterpret_cast<word*>(&object)) {
    detail::check_aligned(&object, required_alignment);
  }

  FERMATA_DEVICE bool is_lock_free() const noexcept { return true; }

  // The object that is referred to, as in C++26.
  FERMATA_DEVICE T* address() const noexcept { return object(); }

  // Returns the value. Order: relaxed, acquire or seq_cst.
  // A relaxed load at the waiting scope is also the way to bypass the near cache; there is no volatile here.
  template <std::memory_order O>
  [[nodiscard]] FERMATA_DEVICE T load(memory_order_tag<O>) const noexcept {
    static_assert(detail::takes_order(atomic_op::load, O),
                  "fermata::atomic_ref::load: the order must be relaxed, acquire or seq_cst; "
                  "a load cannot release. Use a fence or an RMW.");
    return detail::from_word<T>(backend::atomic_load<Scope, O>(word_));
  }

  // Replaces the value. Order: relaxed, release or seq_cst.
  template <std::memory_order O>
  FERMATA_DEVICE void store(T value, memory_order_tag<O>) const noexcept {
    static_assert(detail::takes_order(atomic_op::store, O),
                  "fermata::atomic_ref::store: the order must be relaxed, release or seq_cst; "
                  "a store cannot acquire. Use a fence or exchange.");
    backend::atomic_store<Scope, O>(word_, detail::to_word(value));
  }

  // Replaces the value and returns the old one.
  template <std::memory_order O>
  FERMATA_DEVICE T exchange(T value, memory_order_tag<O>) const noexcept {
    return detail::from_word<T>(backend::atomic_exchange<Scope, O>(word_, detail::to_word(value)));
  }

  // If the value equals `expected` bit for bit, replaces it by `desired` with order `success` and returns true;
  // else copies it to `expected` with order `failure` and returns false. Bits are compared, never values, so a
  // NaN or a -0 cannot make a loop run for ever. Both orders are honoured.
  template <std::memory_order OnSuccess, std::memory_order OnFailure>
  FERMATA_DEVICE bool compare_exchange_strong(T& expected, T desired, memory_order_tag<OnSuccess>,
                                              memory_order_tag<OnFailure>) const noexcept {
    static_assert(detail::valid_for_load(OnFailure),
                  "fermata::atomic_ref::compare_exchange: the failure order must be "
                  "relaxed, acquire or seq_cst; a failed exchange only loads.");
    word seen = detail::to_word(expected);
    bool const done =
        backend::atomic_compare_exchange<Scope, OnSuccess, OnFailure>(word_, seen, detail::to_word(desired));
    if (!done) expected = detail::from_word<T>(seen);
    return done;
  }

  template <std::memory_order O>
  FERMATA_DEVICE bool compare_exchange_strong(T& expected, T desired, memory_order_tag<O> order) const noexcept {
    return compare_exchange_strong(expected, desired, order, memory_order_tag<detail::failure_order(O)>{});
  }

  // As compare_exchange_strong: weak and strong are the same instruction on both vendors.
  template <std::memory_order OnSuccess, std::memory_order OnFailure>
  FERMATA_DEVICE bool compare_exchange_weak(T& expected, T desired, memory_order_tag<OnSuccess> success,
                                            memory_order_tag<OnFailure> failure) const noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }

  template <std::memory_order O>
  FERMATA_DEVICE bool compare_exchange_weak(T& expected, T desired, memory_order_tag<O> order) const noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  // The fetch_ operations return the old value. Integers wrap around; there is no undefined overflow. Pointers count in
  // elements. float and double have fetch_add, fetch_sub, fetch_min and fetch_max; the two last ignore a NaN operand
  // unless both are NaN, and hold -0 < +0, on every backend alike. <fermata/half.hpp> gives the 16-bit floats the same.
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_add(difference_type value, memory_order_tag<O>) const noexcept {
    require_sum<atomic_op::fetch_add>();
    if constexpr (std::is_pointer_v<T>)
      return detail::from_word<T>(backend::atomic_fetch_add<Scope, O>(word_, bytes_of(value)));
    else if constexpr (detail::is_half<T>)
      return detail::half_operations<T>::template fetch_add<Scope, O>(object(), value);
    else
      return backend::atomic_fetch_add<Scope, O>(object(), value);
  }

  // The same for a float or double in coarse-grained device memory, which is what buffer<T> has unless told otherwise.
  // Pre: it is; in another kind of memory, or in shared memory, the sum may have no effect on AMD. Scope: device or
  // narrower, as nobody else sees coarse-grained memory during a kernel. Emits: gfx90a (float, double) and gfx1100
  // (float) global_atomic_add_f32/f64 instead of a compare-exchange loop; they may flush subnormal numbers. Elsewhere
  // the code of fetch_add without the promise. A promise of the call and not of the compilation, because one kernel
  // may add to both kinds of memory.
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_add(T value, memory_order_tag<O>, coarse_grained_t) const noexcept {
    static_assert(std::is_floating_point_v<T>,
                  "fermata::atomic_ref::fetch_add(coarse_grained): only sums of float and double are faster in "
                  "coarse-grained memory. Leave the promise out.");
    static_assert(Scope <= thread_scope::device,
                  "fermata::atomic_ref::fetch_add(coarse_grained): outside the device nobody sees coarse-grained "
                  "memory while a kernel runs, on AMD. Use thread_scope_device, or memory_kind::fine without the "
                  "promise.");
    return backend::atomic_fetch_add_coarse_grained<Scope, O>(object(), value);
  }
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_sub(T value, memory_order_tag<O> order, coarse_grained_t promise) const noexcept {
    return fetch_add(-value, order, promise);
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_sub(difference_type value, [[maybe_unused]] memory_order_tag<O> order) const noexcept {
    require_sum<atomic_op::fetch_sub>();
    // x - y == x + (-y) for all: two's complement wraps, and IEEE subtraction is defined as that sum.
    if constexpr (std::is_pointer_v<T>)
      return detail::from_word<T>(backend::atomic_fetch_add<Scope, O>(word_, word{0} - bytes_of(value)));
    else if constexpr (detail::is_half<T>)
      return fetch_add(detail::with_other_sign(value), order);
    else if constexpr (std::is_floating_point_v<T>)
      return backend::atomic_fetch_add<Scope, O>(object(), -value);
    else
      return backend::atomic_fetch_add<Scope, O>(object(), static_cast<T>(word{0} - static_cast<word>(value)));
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_and(T value, memory_order_tag<O>) const noexcept {
    require_integer<atomic_op::fetch_and>();
    return static_cast<T>(backend::atomic_fetch_and<Scope, O>(word_, static_cast<word>(value)));
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_or(T value, memory_order_tag<O>) const noexcept {
    require_integer<atomic_op::fetch_or>();
    return static_cast<T>(backend::atomic_fetch_or<Scope, O>(word_, static_cast<word>(value)));
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_xor(T value, memory_order_tag<O>) const noexcept {
    require_integer<atomic_op::fetch_xor>();
    return static_cast<T>(backend::atomic_fetch_xor<Scope, O>(word_, static_cast<word>(value)));
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_min(T value, memory_order_tag<O>) const noexcept {
    require_number<atomic_op::fetch_min>();
    if constexpr (std::is_floating_point_v<T> || detail::is_half<T>)
      return detail::generic::fetch_update<Scope, O>(object(),
                                                     [value](T old) { return detail::generic::float_min(old, value); });
    else
      return backend::atomic_fetch_min<Scope, O>(object(), value);
  }

  template <std::memory_order O>
  FERMATA_DEVICE T fetch_max(T value, memory_order_tag<O>) const noexcept {
    require_number<atomic_op::fetch_max>();
    if constexpr (std::is_floating_point_v<T> || detail::is_half<T>)
      return detail::generic::fetch_update<Scope, O>(object(),
                                                     [value](T old) { return detail::generic::float_max(old, value); });
    else
      return backend::atomic_fetch_max<Scope, O>(object(), value);
  }

  // Counts up to `limit` and around: stores old >= limit ? 0 : old + 1, returns old (CUDA's atomicInc).
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_inc_wrap(T limit, memory_order_tag<O>) const noexcept {
    static_assert(detail::takes_type<T>(atomic_op::fetch_inc_wrap),
                  "fermata::atomic_ref::fetch_inc_wrap: only for unsigned, as on the GPUs. "
                  "Write a compare_exchange loop for other types.");
    return backend::atomic_fetch_inc_wrap<Scope, O>(object(), limit);
  }

  // Counts down to 0 and around: stores old == 0 || old > limit ? limit : old - 1, returns old (CUDA's atomicDec).
  template <std::memory_order O>
  FERMATA_DEVICE T fetch_dec_wrap(T limit, memory_order_tag<O>) const noexcept {
    static_assert(detail::takes_type<T>(atomic_op::fetch_dec_wrap),
                  "fermata::atomic_ref::fetch_dec_wrap: only for unsigned, as on the GPUs. "
                  "Write a compare_exchange loop for other types.");
    return backend::atomic_fetch_dec_wrap<Scope, O>(object(), limit);
  }

  // Blocks while the value equals `old` bit for bit; the load that ends the wait has order O.
  // Pre: some thread outside the calling wave changes the value. Waiting for a lane of one's own wave never
  // ends on AMD, and is refused or reported by the host backend.
  template <std::memory_order O>
  FERMATA_DEVICE void wait(T old, memory_order_tag<O>) const noexcept {
    static_assert(detail::takes_order(atomic_op::wait, O),
                  "fermata::atomic_ref::wait: the order must be relaxed, acquire or seq_cst.");
    word const bits = detail::to_word(old);
    backend::atomic_await<Scope, O>(word_, [bits](word seen) { return seen != bits; });
  }

  // Waiters poll, so there is nobody to wake; kept so that code moves over from std::atomic_ref.
  FERMATA_DEVICE void notify_one() const noexcept {}
  FERMATA_DEVICE void notify_all() const noexcept {}

 private:
  using word = detail::word_t<T>;

  FERMATA_DEVICE T* object() const noexcept { return reinterpret_cast<T*>(word_); }

  // A pointer's step in bytes, as the word that is added.
  FERMATA_DEVICE static word bytes_of(std::ptrdiff_t elements) noexcept {
    return static_cast<word>(elements) * sizeof(std::remove_pointer_t<T>);
  }

  template <atomic_op Op>
  FERMATA_DEVICE static constexpr void require_integer() {
    static_assert(detail::takes_type<T>(Op),
                  "fermata::atomic_ref: bitwise operations need an integer T. "
                  "Use an integer of the same size, or a compare_exchange loop.");
  }
  template <atomic_op Op>
  FERMATA_DEVICE static constexpr void require_number() {
    static_assert(detail::takes_type<T>(Op),
                  "fermata::atomic_ref: arithmetic operations need an integer, float or double T. "
                  "Use a compare_exchange loop for other types; 16-bit floats need <fermata/half.hpp>.");
  }
  template <atomic_op Op>
  FERMATA_DEVICE static constexpr void require_sum() {
    static_assert(detail::takes_type<T>(Op) || !std::is_pointer_v<T>,
                  "fermata::atomic_ref: a pointer to void or to a function has no elements to count. "
                  "Use a pointer to an object, or a compare_exchange loop.");
    if constexpr (!std::is_pointer_v<T>) require_number<Op>();
  }

  // Kept as the word, so that one load instruction serves every T of that size.
  word* word_;
};

template <class T>
using block_atomic_ref = atomic_ref<T, thread_scope_block>;
template <class T>
using device_atomic_ref = atomic_ref<T, thread_scope_device>;
template <class T>
using system_atomic_ref = atomic_ref<T, thread_scope_system>;

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/atomic_object.hpp>
