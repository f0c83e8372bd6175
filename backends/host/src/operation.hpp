// What every operation of a lane does besides its work: it may let other lanes run.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>

#include "check/checking.hpp"
#include "check/engine.hpp"
#include "lane.hpp"
#include "leaving.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// At the start of an operation that kernels call: where the lane is. Always inline, for the address to be the caller's.
[[gnu::always_inline]] inline void note_place() noexcept {
  if constexpr (checking)
    if (lane* const self = current) check::note_place(*self, __builtin_return_address(0));
}

// Counts an operation; true if it is time to let others run. In check mode the scheduler says after how many.
inline bool turn_is_over(lane& self) noexcept {
  if (--self.patience != 0) return false;
  if constexpr (!checking) self.patience = patience_of_a_lane;
  return true;
}

// Counts an operation; after some of them others get their turn.
inline void give_way(lane& self) noexcept {
  if constexpr (checking)
    if (check::inside_runtime(self)) return;
  if (turn_is_over(self)) leave_here(self);
}

// After a read, or after an operation that changed nothing.
inline void after_read(void const* address, std::uint64_t value, unsigned bytes, thread_scope scope) noexcept {
  lane* const self = current;
  if (self == nullptr) return;
  if constexpr (checking)
    if (check::inside_runtime(*self)) return;
  if (self->reads.note(address, value, bytes, scope)) {
    self->suspect = true;
    if constexpr (!checking) self->patience = patience_of_a_lane;
  } else if (!turn_is_over(*self)) {
    return;
  }
  leave_here(*self);
}

// After an operation that changed memory; from host threads, too.
void after_change() noexcept;

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
