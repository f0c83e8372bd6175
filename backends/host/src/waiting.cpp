// Waiting for a word, from a lane and from a host thread.
#include <fermata/backend/atomic.hpp>
#include <fermata/backend/sentinel_note.hpp>
#include <thread>

#include "block.hpp"
#include "check/engine.hpp"
#include "operation.hpp"
#include "pool.hpp"
#include "worker.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

template <class W>
std::uint64_t now_at(void const* address) noexcept {
  return __atomic_load_n(static_cast<W const*>(address), __ATOMIC_RELAXED);
}

}  // namespace

bool watched_word::changed() const noexcept {
  switch (bytes) {
    case 1:
      return now_at<std::uint8_t>(address) != seen;
    case 2:
      return now_at<std::uint16_t>(address) != seen;
    case 4:
      return now_at<std::uint32_t>(address) != seen;
    default:
      return now_at<std::uint64_t>(address) != seen;
  }
}

template <class W>
void wait_for_change(W const* p, W seen, thread_scope scope) noexcept {
  lane* const self = current;
  if (self == nullptr) {
    std::this_thread::yield();
    return;
  }
  if constexpr (checking) check::waits_for(*self, p);
  self->watched = {p, seen, sizeof(W), scope};
  self->state = lane_state::watching;
  leave(*self);
}

template void wait_for_change<std::uint8_t>(std::uint8_t const*, std::uint8_t, thread_scope) noexcept;
template void wait_for_change<std::uint16_t>(std::uint16_t const*, std::uint16_t, thread_scope) noexcept;
template void wait_for_change<std::uint32_t>(std::uint32_t const*, std::uint32_t, thread_scope) noexcept;
template void wait_for_change<std::uint64_t>(std::uint64_t const*, std::uint64_t, thread_scope) noexcept;

void note_publish(void const* slot, std::uint64_t bits, std::uint64_t empty) noexcept {
  note_place();
  if constexpr (checking)
    if (lane* const self = current) check::publishes(*self, slot, bits, empty);
}

void note_rearm(void const* slot) noexcept {
  note_place();
  if constexpr (checking)
    if (lane* const self = current) check::rearms(*self, slot);
}

void after_change() noexcept {
  lane* const self = current;
  if (self == nullptr) {
    note_progress_of_the_host();
    return;
  }
  self->reads.forget();
  // Outside check mode the end of its turn says that the lane has got on: it cannot repeat so many reads by then that
  // it would be taken for one that does nothing else.
  static_assert(patience_of_a_lane < read_history::enough_repeated_reads);
  if constexpr (checking) self->home->owner().note_progress();
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
