// The kernel macros for the host, and block-shared memory.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>
#include <fermata/detail/no_constructor.hpp>
#include <type_traits>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

// One per FERMATA_SHARED declaration; its address names the variable, and each block has its own memory for it.
// (A thread_local would be shared by all blocks that a worker holds.)
struct shared_key {
  std::size_t bytes, alignment;
};

// The calling block's memory for the variable; filled with 0xCB when the block first asks for it.
void* shared_variable(shared_key const& key) noexcept;

template <class T>
T& shared_variable_as(shared_key const& key) noexcept {
  static_assert(detail::needs_no_constructor<T>,
                "FERMATA_SHARED: no constructor runs for shared memory; the type must be trivial on "
                "every backend");
  return *static_cast<T*>(shared_variable(key));
}

// One per FERMATA_GLOBAL, so that the checker's check() can put the variable back before each run.
class known_global {
 public:
  known_global(void* memory, std::size_t bytes);
  known_global(known_global const&) = delete;
  known_global& operator=(known_global const&) = delete;
  ~known_global();

 private:
  void* memory_;
};

}  // namespace host

void* dynamic_shared_memory() noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#define FERMATA_KERNEL void
#define FERMATA_KERNEL_BOUNDS(threads, ...) void

// The key is constant-initialised: a lane that switched inside the initialiser of a function-local static would abort.
#define FERMATA_SHARED(name, ...)                                                                       \
  static constinit const ::fermata::backend::host::shared_key name##_fermata_key{sizeof(__VA_ARGS__),   \
                                                                                 alignof(__VA_ARGS__)}; \
  auto& name = ::fermata::backend::host::shared_variable_as<::std::type_identity_t<__VA_ARGS__>>(name##_fermata_key)

#define FERMATA_GLOBAL(name, ...)                                              \
  static_assert(::fermata::detail::needs_no_constructor<__VA_ARGS__>,          \
                "FERMATA_GLOBAL: no constructor runs for device globals; the " \
                "type must be trivial on every backend");                      \
  constinit ::std::type_identity_t<__VA_ARGS__> name{};                        \
  static ::fermata::backend::host::known_global const name##_fermata_known { &name, sizeof name }
