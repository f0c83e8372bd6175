// What the compiler calls in code compiled with -fsanitize=thread and -fsanitize-coverage=trace-pc: an entry for each
// plain access, each function and each basic block. The names and their meaning are those of compiler-rt's
// ThreadSanitizer.
#include <bit>
#include <cstring>
#include <fermata/backend/atomic.hpp>
#include <fermata/backend/fence.hpp>

#include "../lane.hpp"
#include "engine.hpp"
#include "records.hpp"
#include "scheduler.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

inline void access_by(void const* p, std::size_t bytes, bool is_write, void const* pc, bool is_volatile = false) {
  if (lane* const self = current) plain_access(*self, p, bytes, is_write, is_volatile, pc);
}

// The compiler's numbers for orders are those of std::memory_order.
std::memory_order order_of(int number) noexcept {
  auto const order = static_cast<std::memory_order>(number & 0xFF);
  return order == std::memory_order_consume ? std::memory_order_acquire : order;
}

std::memory_order load_order(int number) noexcept {
  std::memory_order const order = order_of(number);
  return order == std::memory_order_release   ? std::memory_order_relaxed
         : order == std::memory_order_acq_rel ? std::memory_order_acquire
                                              : order;
}

// std::atomic in a kernel knows no scopes: it is taken for the widest.
constexpr thread_scope widest = thread_scope::system;

template <class W>
W nand(W* p, W operand, std::memory_order order) noexcept {
  W seen = load(p, widest, std::memory_order_relaxed);
  while (!compare_exchange<W>(p, seen, static_cast<W>(~(seen & operand)), widest, order, std::memory_order_relaxed)) {
  }
  return seen;
}

}  // namespace
}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

namespace hooks = fermata::backend::host::check;
namespace host = fermata::backend::host;

extern "C" {

void __tsan_init() {}

void __tsan_func_entry(void* pc) {
  if (host::lane* const self = host::current) self->checked->calls.enter(pc);
}

void __tsan_func_exit() {
  if (host::lane* const self = host::current) self->checked->calls.leave();
}

void __sanitizer_cov_trace_pc() {
  if (host::lane* const self = host::current) hooks::basic_block(*self, __builtin_return_address(0));
}

#define FERMATA_HOOK_ACCESS(bytes)                                                                                    \
  void __tsan_read##bytes(void* p) { hooks::access_by(p, bytes, false, __builtin_return_address(0)); }                \
  void __tsan_write##bytes(void* p) { hooks::access_by(p, bytes, true, __builtin_return_address(0)); }                \
  void __tsan_unaligned_read##bytes(void* p) { hooks::access_by(p, bytes, false, __builtin_return_address(0)); }      \
  void __tsan_unaligned_write##bytes(void* p) { hooks::access_by(p, bytes, true, __builtin_return_address(0)); }      \
  void __tsan_volatile_read##bytes(void* p) { hooks::access_by(p, bytes, false, __builtin_return_address(0), true); } \
  void __tsan_volatile_write##bytes(void* p) { hooks::access_by(p, bytes, true, __builtin_return_address(0), true); } \
  void __tsan_unaligned_volatile_read##bytes(void* p) {                                                               \
    hooks::access_by(p, bytes, false, __builtin_return_address(0), true);                                             \
  }                                                                                                                   \
  void __tsan_unaligned_volatile_write##bytes(void* p) {                                                              \
    hooks::access_by(p, bytes, true, __builtin_return_address(0), true);                                              \
  }                                                                                                                   \
  void __tsan_read_write##bytes(void* p) {                                                                            \
    hooks::access_by(p, bytes, false, __builtin_return_address(0));                                                   \
    hooks::access_by(p, bytes, true, __builtin_return_address(0));                                                    \
  }                                                                                                                   \
  void __tsan_unaligned_read_write##bytes(void* p) {                                                                  \
    hooks::access_by(p, bytes, false, __builtin_return_address(0));                                                   \
    hooks::access_by(p, bytes, true, __builtin_return_address(0));                                                    \
  }
FERMATA_HOOK_ACCESS(1)
FERMATA_HOOK_ACCESS(2)
FERMATA_HOOK_ACCESS(4)
FERMATA_HOOK_ACCESS(8)
FERMATA_HOOK_ACCESS(16)
#undef FERMATA_HOOK_ACCESS

void __tsan_read_range(void* p, unsigned long bytes) { hooks::access_by(p, bytes, false, __builtin_return_address(0)); }
void __tsan_write_range(void* p, unsigned long bytes) { hooks::access_by(p, bytes, true, __builtin_return_address(0)); }
void __tsan_vptr_read(void** p) { hooks::access_by(p, sizeof *p, false, __builtin_return_address(0)); }
void __tsan_vptr_update(void** p, void*) { hooks::access_by(p, sizeof *p, true, __builtin_return_address(0)); }

void* __tsan_memcpy(void* to, void const* from, unsigned long bytes) {
  hooks::access_by(from, bytes, false, __builtin_return_address(0));
  hooks::access_by(to, bytes, true, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}

void* __tsan_memmove(void* to, void const* from, unsigned long bytes) {
  hooks::access_by(from, bytes, false, __builtin_return_address(0));
  hooks::access_by(to, bytes, true, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}

void* __tsan_memset(void* to, int value, unsigned long bytes) {
  hooks::access_by(to, bytes, true, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}

#define FERMATA_HOOK_ATOMICS(bits)                                                                                   \
  std::uint##bits##_t __tsan_atomic##bits##_load(std::uint##bits##_t const* p, int order) {                          \
    return host::load(const_cast<std::uint##bits##_t const*>(p), hooks::widest, hooks::load_order(order));           \
  }                                                                                                                  \
  void __tsan_atomic##bits##_store(std::uint##bits##_t* p, std::uint##bits##_t value, int order) {                   \
    host::store(const_cast<std::uint##bits##_t*>(p), value, hooks::widest, hooks::order_of(order));                  \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_exchange(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {     \
    return host::read_modify_write<host::rmw::exchange>(const_cast<std::uint##bits##_t*>(p), v, hooks::widest,       \
                                   hooks::order_of(order));                                                          \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_add(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {    \
    return host::read_modify_write<host::rmw::add>(const_cast<std::uint##bits##_t*>(p), v, hooks::widest,            \
                                   hooks::order_of(order));                                                          \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_sub(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {    \
    return host::read_modify_write<host::rmw::add>(const_cast<std::uint##bits##_t*>(p),                              \
                                   static_cast<std::uint##bits##_t>(0 - v), hooks::widest, hooks::order_of(order));  \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_and(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {    \
    return host::read_modify_write<host::rmw::bit_and>(const_cast<std::uint##bits##_t*>(p), v, hooks::widest,        \
                                   hooks::order_of(order));                                                          \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_or(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {     \
    return host::read_modify_write<host::rmw::bit_or>(const_cast<std::uint##bits##_t*>(p), v, hooks::widest,         \
                                   hooks::order_of(order));                                                          \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_xor(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {    \
    return host::read_modify_write<host::rmw::bit_xor>(const_cast<std::uint##bits##_t*>(p), v, hooks::widest,        \
                                   hooks::order_of(order));                                                          \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_nand(std::uint##bits##_t* p, std::uint##bits##_t v, int order) {   \
    return hooks::nand(const_cast<std::uint##bits##_t*>(p), v, hooks::order_of(order));                              \
  }                                                                                                                  \
  int __tsan_atomic##bits##_compare_exchange_strong(std::uint##bits##_t* p, std::uint##bits##_t* expected,           \
                                                    std::uint##bits##_t desired, int success, int failure) {         \
    return host::compare_exchange(const_cast<std::uint##bits##_t*>(p), *expected, desired, hooks::widest,            \
                                  hooks::order_of(success), hooks::load_order(failure));                             \
  }                                                                                                                  \
  int __tsan_atomic##bits##_compare_exchange_weak(std::uint##bits##_t* p, std::uint##bits##_t* expected,             \
                                                  std::uint##bits##_t desired, int success, int failure) {           \
    return host::compare_exchange(const_cast<std::uint##bits##_t*>(p), *expected, desired, hooks::widest,            \
                                  hooks::order_of(success), hooks::load_order(failure));                             \
  }                                                                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                                    \
      std::uint##bits##_t* p, std::uint##bits##_t expected, std::uint##bits##_t desired, int success, int failure) { \
    host::compare_exchange(const_cast<std::uint##bits##_t*>(p), expected, desired, hooks::widest,                    \
                           hooks::order_of(success), hooks::load_order(failure));                                    \
    return expected;                                                                                                 \
  }
FERMATA_HOOK_ATOMICS(8)
FERMATA_HOOK_ATOMICS(16)
FERMATA_HOOK_ATOMICS(32)
FERMATA_HOOK_ATOMICS(64)
#undef FERMATA_HOOK_ATOMICS

void __tsan_atomic_thread_fence(int order) { host::fence(hooks::widest, hooks::order_of(order)); }
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
