// Lanes one after the other: for what a wave cannot do together.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/call_site.hpp>
#include <fermata/lane_group.hpp>
#include <fermata/lane_mask.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Calls f() in each lane that is here, one at a time, from the lowest to the highest; the others wait. What a lane did
// in f is visible to those after it.
//
// This is the only safe way for the lanes of a wave to take a lock each. On AMD the lanes share one program counter:
// written without it, the lane that got the lock waits for the end of the loop in which the others try to get it, and
// the unlock comes behind the loop. Nobody ever leaves. Here the loop around f is the same for all lanes, so that a
// lane runs f to its end, with its lock and unlock, before the next one starts:
//
//   fm::wave_serialize([&] {
//     while (lock.exchange(1, fm::memory_order_acquire) != 0) {}
//     …
//     lock.store(0, fm::memory_order_release);
//   });
//
// Pre   f does not use collectives of the wave, and does not wait for another lane of it.
// Cost  the sum of what the lanes do. A lock taken once by one elected lane for all of them is cheaper.
template <class F>
FERMATA_DEVICE void wave_serialize(F&& f, detail::call_site site = detail::call_site::here()) {
  lane_group const here = active_lanes(site);
  unsigned const self = backend::lane_id();
  // Over lanes and not over ranks: the mask is the same for all lanes and stays in a scalar register on AMD.
  for (unsigned const lane : here.mask()) {
    if (lane == self) f();
    here.sync();
  }
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
