// Atomic operations: the real one first, then what the executor makes of it.
#include <algorithm>
#include <bit>
#include <fermata/backend/atomic.hpp>
#include <fermata/backend/exchange.hpp>
#include <fermata/backend/fence.hpp>
#include <type_traits>

#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

// The object may be of any type of the size. The compiler does not see the caller, but link-time optimisation would.
template <class W>
using any_word [[gnu::may_alias]] = W;

// Orders become constants here: given a variable, the compiler would take the strongest for each.
template <class W>
W load_word(W const* p, std::memory_order order) noexcept {
  auto const* const word = reinterpret_cast<any_word<W> const*>(p);
  if (order == std::memory_order_seq_cst) return __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (order == std::memory_order_acquire) return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

template <class W>
void store_word(W* p, W value, std::memory_order order) noexcept {
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  if (order == std::memory_order_seq_cst)
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
  else if (order == std::memory_order_release)
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
  else
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

template <class W>
void after_modification(W const* p, W old, W now, thread_scope scope) noexcept {
  // An exchange that takes a lock that is taken already is a way to poll.
  if (old == now) {
    after_read(p, old, sizeof(W), scope);
    return;
  }
  after_change();
  if (lane* const self = current) give_way(*self);
}

template <class W>
W added_as_float(W old, W operand) noexcept {
  if constexpr (sizeof(W) == 4)
    return std::bit_cast<W>(std::bit_cast<float>(old) + std::bit_cast<float>(operand));
  else if constexpr (sizeof(W) == 8)
    return std::bit_cast<W>(std::bit_cast<double>(old) + std::bit_cast<double>(operand));
  else
    return old;  // no such type; the header asks for floats and doubles only
}

template <class W>
W combined(rmw operation, W old, W operand) noexcept {
  using number = std::make_signed_t<W>;
  switch (operation) {
    case rmw::exchange:
      return operand;
    case rmw::add:
      return static_cast<W>(old + operand);
    case rmw::bit_and:
      return old & operand;
    case rmw::bit_or:
      return old | operand;
    case rmw::bit_xor:
      return old ^ operand;
    case rmw::min_signed:
      return static_cast<W>(std::min(static_cast<number>(old), static_cast<number>(operand)));
    case rmw::max_signed:
      return static_cast<W>(std::max(static_cast<number>(old), static_cast<number>(operand)));
    case rmw::min_unsigned:
      return std::min(old, operand);
    case rmw::max_unsigned:
      return std::max(old, operand);
    case rmw::add_float:
      return added_as_float(old, operand);
    case rmw::inc_wrap:
      return old >= operand ? W{0} : static_cast<W>(old + 1);
    case rmw::dec_wrap:
      return old == 0 || old > operand ? operand : static_cast<W>(old - 1);
  }
  return old;
}

}  // namespace

template <class W>
W peek(W const* p, std::memory_order order) noexcept {
  return load_word(p, order);
}

template <class W>
W load(W const* p, thread_scope scope, std::memory_order order) noexcept {
  W const value = load_word(p, order);
  after_read(p, value, sizeof(W), scope);
  return value;
}

template <class W>
void store(W* p, W value, thread_scope scope, std::memory_order order) noexcept {
  W const old = load_word(p, std::memory_order_relaxed);
  store_word(p, value, order);
  static_cast<void>(scope);  // all scopes are one here
  // Storing what is there already lets nobody go on. It is no read either: a loop that polls may do it.
  if (old != value) after_change();
}

// Every order is served by the strongest: on x86 it is the same instruction, and a lane switch costs more elsewhere.
template <class W>
W read_modify_write(rmw operation, W* p, W operand, thread_scope scope, std::memory_order) noexcept {
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  W old;
  switch (operation) {
    case rmw::exchange:
      old = __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST);
      break;
    case rmw::add:
      old = __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST);
      break;
    default: {
      old = __atomic_load_n(word, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(word, &old, combined<W>(operation, old, operand), true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST)) {
      }
    }
  }
  after_modification(p, old, combined<W>(operation, old, operand), scope);
  return old;
}

template <class W>
bool compare_exchange(W* p, W& expected, W desired, thread_scope scope, std::memory_order, std::memory_order) noexcept {
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  W seen = expected;
  bool const done = __atomic_compare_exchange_n(word, &seen, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (done) {
    after_modification(p, seen, desired, scope);
  } else {
    after_read(p, seen, sizeof(W), scope);
    expected = seen;
  }
  return done;
}

#define FERMATA_HOST_ATOMICS(W)                                                          \
  template W peek<W>(W const*, std::memory_order) noexcept;                              \
  template W load<W>(W const*, thread_scope, std::memory_order) noexcept;                \
  template void store<W>(W*, W, thread_scope, std::memory_order) noexcept;               \
  template W read_modify_write<W>(rmw, W*, W, thread_scope, std::memory_order) noexcept; \
  template bool compare_exchange<W>(W*, W&, W, thread_scope, std::memory_order, std::memory_order) noexcept
FERMATA_HOST_ATOMICS(std::uint8_t);
FERMATA_HOST_ATOMICS(std::uint16_t);
FERMATA_HOST_ATOMICS(std::uint32_t);
FERMATA_HOST_ATOMICS(std::uint64_t);
#undef FERMATA_HOST_ATOMICS

#if defined(__x86_64__)

namespace {

// The instruction itself: __atomic_compare_exchange_n of 16 bytes would be a call into libatomic, with a lock.
bool exchange_if_equal(word16* p, word16& expected, word16 desired) noexcept {
  std::uint64_t low = static_cast<std::uint64_t>(expected), high = static_cast<std::uint64_t>(expected >> 64);
  bool done;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(*p), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  expected = word16{high} << 64 | low;
  return done;
}

// Plain loads of 16 bytes may be torn. An exchange of nothing for nothing tells the value whole.
word16 value_of(word16 const* p) noexcept {
  word16 seen = 0;
  exchange_if_equal(const_cast<word16*>(p), seen, 0);
  return seen;
}

// What the executor compares reads by.
std::uint64_t summary(word16 value) noexcept {
  return static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15ull ^ static_cast<std::uint64_t>(value >> 64);
}

word16 replace(word16* p, word16 value) noexcept {
  word16 old = value_of(p);
  while (!exchange_if_equal(p, old, value)) {
  }
  return old;
}

void after_replacement(word16 const* p, word16 old, word16 now, thread_scope scope) noexcept {
  if (old == now) {
    after_read(p, summary(old), 16, scope);
    return;
  }
  after_change();
  if (lane* const self = current) give_way(*self);
}

}  // namespace

word16 load(word16 const* p, thread_scope scope) noexcept {
  word16 const value = value_of(p);
  after_read(p, summary(value), 16, scope);
  return value;
}

void store(word16* p, word16 value) noexcept {
  if (replace(p, value) != value) after_change();
}

word16 exchange(word16* p, word16 value, thread_scope scope) noexcept {
  word16 const old = replace(p, value);
  after_replacement(p, old, value, scope);
  return old;
}

bool compare_exchange(word16* p, word16& expected, word16 desired, thread_scope scope) noexcept {
  word16 seen = expected;
  bool const done = exchange_if_equal(p, seen, desired);
  if (done) {
    after_replacement(p, seen, desired, scope);
  } else {
    after_read(p, summary(seen), 16, scope);
    expected = seen;
  }
  return done;
}

#endif

void fence(thread_scope, std::memory_order order) noexcept { std::atomic_thread_fence(order); }

detail::words4 load_words(void const* p, thread_scope scope) noexcept {
  auto const* const words = static_cast<std::uint32_t const*>(p);
  detail::words4 result;
  std::uint64_t hash = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result.w[i] = load_word(words + i, std::memory_order_relaxed);
    hash = (hash ^ result.w[i]) * 0x9E3779B97F4A7C15ull;
  }
  after_read(p, hash, 16, scope);
  return result;
}

void store_words(void* p, detail::words4 const& value, thread_scope) noexcept {
  auto* const words = static_cast<std::uint32_t*>(p);
  bool changed = false;
  for (unsigned i = 0; i < 4; ++i) {
    changed |= load_word(words + i, std::memory_order_relaxed) != value.w[i];
    store_word(words + i, value.w[i], std::memory_order_relaxed);
  }
  if (changed) after_change();
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
