// Fences on the host.
#pragma once

#include <atomic>
#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

void fence(thread_scope scope, std::memory_order order) noexcept;

}  // namespace host

template <thread_scope S, std::memory_order O>
void atomic_thread_fence() noexcept {
  host::fence(S, O);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
