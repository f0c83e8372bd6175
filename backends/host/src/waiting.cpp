// Waiting for a word, from a lane and from a host thread.
#include <fermata/backend/atomic.hpp>
#include <thread>

#include "block.hpp"
#include "operation.hpp"
#include "pool.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

bool watched_word::changed() const noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  switch (bytes) {
    case 1:
      return peek(static_cast<std::uint8_t const*>(address), relaxed) != seen;
    case 2:
      return peek(static_cast<std::uint16_t const*>(address), relaxed) != seen;
    case 4:
      return peek(static_cast<std::uint32_t const*>(address), relaxed) != seen;
    default:
      return peek(static_cast<std::uint64_t const*>(address), relaxed) != seen;
  }
}

template <class W>
void wait_for_change(W const* p, W seen, thread_scope scope) noexcept {
  lane* const self = current;
  if (self == nullptr) {
    std::this_thread::yield();
    return;
  }
  self->watched = {p, seen, sizeof(W), scope};
  self->state = lane_state::watching;
  leave(*self);
}

template void wait_for_change<std::uint8_t>(std::uint8_t const*, std::uint8_t, thread_scope) noexcept;
template void wait_for_change<std::uint16_t>(std::uint16_t const*, std::uint16_t, thread_scope) noexcept;
template void wait_for_change<std::uint32_t>(std::uint32_t const*, std::uint32_t, thread_scope) noexcept;
template void wait_for_change<std::uint64_t>(std::uint64_t const*, std::uint64_t, thread_scope) noexcept;

void after_change() noexcept {
  lane* const self = current;
  if (self == nullptr) {
    note_progress_of_the_host();
    return;
  }
  self->reads.forget();
  self->home->owner().note_progress();
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
