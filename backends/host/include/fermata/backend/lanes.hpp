// Some lanes of the wave on the host, named by a mask: a rendezvous of these lanes alone.
#pragma once

#include <cstddef>
#include <fermata/backend/wave.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/config.hpp>
#include <memory>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// Waits until no other lane of the wave can come here any more: all of them have returned, or wait for something else.
// Those that wait in the same line are here.
lane_word active_lanes(detail::call_site site) noexcept;

void lanes_sync(lane_word members) noexcept;
bool lanes_any(lane_word members, bool predicate) noexcept;
bool lanes_all(lane_word members, bool predicate) noexcept;
lane_word lanes_ballot(lane_word members, bool predicate) noexcept;

template <class T>
T lanes_shfl(lane_word members, T value, unsigned lane) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::from, std::addressof(value), std::addressof(result), sizeof(T), lane, members);
  return result;
}

template <class T>
lane_word lanes_match_any(lane_word members, T value) noexcept {
  return host::wave_match(false, std::addressof(value), sizeof(T), members);
}

template <class T>
bool lanes_match_all(lane_word members, T value) noexcept {
  return host::wave_match(true, std::addressof(value), sizeof(T), members) != 0;
}

namespace host {

// The tree of detail::generic::lanes_reduce.
template <class T, class Op>
void fold_lanes(unsigned count, bool full_wave, void* const* values, void* const* results,
                void const* const* operations) {
  if (full_wave) return fold<T, Op>(count, full_wave, values, results, operations);
  scan<T, Op>(count, full_wave, values, results, operations);
  for (unsigned lane = 0; lane + 1 < count; ++lane)
    std::construct_at(static_cast<T*>(results[lane]), *static_cast<T const*>(results[count - 1]));
}

}  // namespace host

template <class T, class Op>
T lanes_reduce(lane_word members, T value, Op op) noexcept {
  T result = value;
  host::wave_fold(host::fold_lanes<T, Op>, std::addressof(value), std::addressof(result), sizeof(T), std::addressof(op),
                  members);
  return result;
}

template <class T, class Op>
T lanes_inclusive_scan(lane_word members, T value, Op op) noexcept {
  T result = value;
  host::wave_fold(host::scan<T, Op>, std::addressof(value), std::addressof(result), sizeof(T), std::addressof(op),
                  members);
  return result;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
