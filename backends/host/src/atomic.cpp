// Atomic operations: the real one first, then what the executor makes of it.
#include <algorithm>
#include <bit>
#include <fermata/backend/atomic.hpp>
#include <fermata/backend/exchange.hpp>
#include <fermata/backend/fence.hpp>
#include <type_traits>

#include "block.hpp"
#include "check/engine.hpp"
#include "operation.hpp"
#include "worker.hpp"

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

// What a modification means for the executor. Returns the old value, so that it can be the last thing that is done.
template <class W>
[[gnu::noinline]] W after_modification(W const* p, W old, W now, thread_scope scope) noexcept {
  // An exchange that takes a lock that is taken already is a way to poll.
  if (old == now) {
    after_read(p, old, sizeof(W), scope);
    return old;
  }
  after_change();
  if (lane* const self = current) give_way(*self);
  return old;
}

// What the checker is told.
template <class W>
W observed(W const* p, W newest, thread_scope scope, std::memory_order order) noexcept {
  if constexpr (checking)
    if (lane* const self = current)
      return static_cast<W>(check::observe(*self, {p, sizeof(W), scope, order}, newest));
  return newest;
}

template <class W>
void about_to_store(W const* p, W old, W now, thread_scope scope, std::memory_order order) noexcept {
  if constexpr (checking)
    if (lane* const self = current) check::before_store(*self, {p, sizeof(W), scope, order}, old, now);
}

void has_modified_bytes(void const* p, unsigned bytes, std::uint64_t old, std::uint64_t now, thread_scope scope,
                        std::memory_order order) noexcept {
  if constexpr (checking)
    if (lane* const self = current) check::modified(*self, {p, bytes, scope, order}, old, now);
}

template <class W>
void has_modified(W const* p, W old, W now, thread_scope scope, std::memory_order order) noexcept {
  has_modified_bytes(p, sizeof(W), old, now, scope, order);
}

void has_seen(void const* p, unsigned bytes, std::uint64_t value, thread_scope scope,
              std::memory_order order) noexcept {
  if constexpr (checking)
    if (lane* const self = current) check::observe_newest(*self, {p, bytes, scope, order}, value);
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

template <rmw Operation, class W>
W combined(W old, W operand) noexcept {
  using number = std::make_signed_t<W>;
  switch (Operation) {
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

// Every order is served by the strongest: on x86 it is the same instruction, and a lane switch costs more elsewhere.
template <rmw Operation, class W>
W modified(W* p, W operand) noexcept {
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  if constexpr (Operation == rmw::exchange) return __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST);
  if constexpr (Operation == rmw::add) return __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST);
  W old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, combined<Operation>(old, operand), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  return old;
}

// Whether all threads of the scope are lanes of this thread: no other comes between a read and the write behind it,
// and what one of them has done all others find done. A lock, which costs more than all the rest, has no use then.
bool takes_turns_in(lane const* self, thread_scope scope) noexcept {
  return self != nullptr && scope <= self->home->launch().scope_of_one_thread;
}

template <rmw Operation, class W>
W modified_in_turn(W* p, W operand) noexcept {
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  W const old = __atomic_load_n(word, __ATOMIC_RELAXED);
  __atomic_store_n(word, combined<Operation>(old, operand), __ATOMIC_RELAXED);
  return old;
}

}  // namespace

template <class W>
W peek(W const* p, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  return observed(p, load_word(p, order), scope, order);
}

template <class W>
W load(W const* p, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  W const value = observed(p, load_word(p, order), scope, order);
  after_read(p, value, sizeof(W), scope);
  return value;
}

template <class W>
void store(W* p, W value, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  W const old = load_word(p, std::memory_order_relaxed);
  about_to_store(p, old, value, scope, order);
  store_word(p, value, order);
  // Storing what is there already lets nobody go on. It is no read either: a loop that polls may do it.
  if (old != value) after_change();
}

template <rmw Operation, class W>
W read_modify_write(W* p, W operand, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  lane* const self = current;
  W const old = takes_turns_in(self, scope) ? modified_in_turn<Operation>(p, operand) : modified<Operation>(p, operand);
  W const now = combined<Operation>(old, operand);
  has_modified(p, old, now, scope, order);
  // Nearly always the lane has changed something, is far from the end of its turn, and has not read since the last
  // time. Nothing is called then, so that nothing need be saved: a locked instruction waits for all stores before it.
  if (!checking && old != now && self != nullptr && self->patience > 1 && self->reads.forgotten()) {
    --self->patience;
    return old;
  }
  return after_modification(p, old, now, scope);
}

template <class W>
bool compare_exchange(W* p, W& expected, W desired, thread_scope scope, std::memory_order success,
                      std::memory_order failure) noexcept {
  note_place();
  auto* const word = reinterpret_cast<any_word<W>*>(p);
  W seen = expected;
  bool done;
  if (takes_turns_in(current, scope)) {
    seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    done = seen == expected;
    if (done) __atomic_store_n(word, desired, __ATOMIC_RELAXED);
  } else {
    done = __atomic_compare_exchange_n(word, &seen, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  if (done) {
    has_modified(p, seen, desired, scope, success);
    after_modification(p, seen, desired, scope);
  } else {
    has_seen(p, sizeof(W), seen, scope, failure);
    after_read(p, seen, sizeof(W), scope);
    expected = seen;
  }
  return done;
}

#define FERMATA_HOST_MODIFICATION(operation, W) \
  template W read_modify_write<rmw::operation, W>(W*, W, thread_scope, std::memory_order) noexcept
#define FERMATA_HOST_ATOMICS(W)                                            \
  template W peek<W>(W const*, thread_scope, std::memory_order) noexcept;  \
  template W load<W>(W const*, thread_scope, std::memory_order) noexcept;  \
  template void store<W>(W*, W, thread_scope, std::memory_order) noexcept; \
  FERMATA_HOST_MODIFICATION(exchange, W);                                  \
  FERMATA_HOST_MODIFICATION(add, W);                                       \
  FERMATA_HOST_MODIFICATION(bit_and, W);                                   \
  FERMATA_HOST_MODIFICATION(bit_or, W);                                    \
  FERMATA_HOST_MODIFICATION(bit_xor, W);                                   \
  FERMATA_HOST_MODIFICATION(min_signed, W);                                \
  FERMATA_HOST_MODIFICATION(min_unsigned, W);                              \
  FERMATA_HOST_MODIFICATION(max_signed, W);                                \
  FERMATA_HOST_MODIFICATION(max_unsigned, W);                              \
  template bool compare_exchange<W>(W*, W&, W, thread_scope, std::memory_order, std::memory_order) noexcept
FERMATA_HOST_ATOMICS(std::uint8_t);
FERMATA_HOST_ATOMICS(std::uint16_t);
FERMATA_HOST_ATOMICS(std::uint32_t);
FERMATA_HOST_ATOMICS(std::uint64_t);
FERMATA_HOST_MODIFICATION(add_float, std::uint32_t);
FERMATA_HOST_MODIFICATION(add_float, std::uint64_t);
FERMATA_HOST_MODIFICATION(inc_wrap, std::uint32_t);
FERMATA_HOST_MODIFICATION(dec_wrap, std::uint32_t);
#undef FERMATA_HOST_ATOMICS
#undef FERMATA_HOST_MODIFICATION

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

word16 load(word16 const* p, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  word16 const value = value_of(p);
  has_seen(p, 16, summary(value), scope, order);
  after_read(p, summary(value), 16, scope);
  return value;
}

void store(word16* p, word16 value, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  if constexpr (checking)
    if (lane* const self = current)
      check::before_store(*self, {p, 16, scope, order}, summary(value_of(p)), summary(value));
  if (replace(p, value) != value) after_change();
}

word16 exchange(word16* p, word16 value, thread_scope scope, std::memory_order order) noexcept {
  note_place();
  word16 const old = replace(p, value);
  has_modified_bytes(p, 16, summary(old), summary(value), scope, order);
  after_replacement(p, old, value, scope);
  return old;
}

bool compare_exchange(word16* p, word16& expected, word16 desired, thread_scope scope, std::memory_order success,
                      std::memory_order failure) noexcept {
  note_place();
  word16 seen = expected;
  bool const done = exchange_if_equal(p, seen, desired);
  if (done) {
    has_modified_bytes(p, 16, summary(seen), summary(desired), scope, success);
    after_replacement(p, seen, desired, scope);
  } else {
    has_seen(p, 16, summary(seen), scope, failure);
    after_read(p, summary(seen), 16, scope);
    expected = seen;
  }
  return done;
}

#endif

void fence(thread_scope scope, std::memory_order order) noexcept {
  note_place();
  std::atomic_thread_fence(order);
  if constexpr (checking)
    if (lane* const self = current) check::fence(*self, scope, order);
}

detail::words4 load_words(void const* p, thread_scope scope) noexcept {
  auto const* const words = static_cast<std::uint32_t const*>(p);
  note_place();
  detail::words4 result;
  std::uint64_t hash = 0;
  for (unsigned i = 0; i < 4; ++i) {
    // Each word by itself: the four are not one access, and may be of different stores.
    result.w[i] =
        observed(words + i, load_word(words + i, std::memory_order_relaxed), scope, std::memory_order_relaxed);
    hash = (hash ^ result.w[i]) * 0x9E3779B97F4A7C15ull;
  }
  after_read(p, hash, 16, scope);
  return result;
}

void store_words(void* p, detail::words4 const& value, thread_scope scope) noexcept {
  note_place();
  auto* const words = static_cast<std::uint32_t*>(p);
  bool changed = false;
  for (unsigned i = 0; i < 4; ++i) {
    std::uint32_t const old = load_word(words + i, std::memory_order_relaxed);
    about_to_store(words + i, old, value.w[i], scope, std::memory_order_relaxed);
    changed |= old != value.w[i];
    store_word(words + i, value.w[i], std::memory_order_relaxed);
  }
  if (changed) after_change();
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
