// What the checker is told of sentinels: their slots are atomic words like others, but one value means "empty".
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

void note_publish(void const* slot, std::uint64_t bits, std::uint64_t empty) noexcept;
void note_rearm(void const* slot) noexcept;

}  // namespace host

// Before the store of `bits` to the slot, and before the store that empties it.
template <class W>
void note_publish(W const* slot, W bits, W empty) noexcept {
  host::note_publish(slot, bits, empty);
}
template <class W>
void note_rearm(W const* slot) noexcept {
  host::note_rearm(slot);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
