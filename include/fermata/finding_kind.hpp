// What the checker (fermata::check, host backend) can find. Here, and not with the checker, because kernels name the
// kinds in check_ignore.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

enum class finding_kind {
  // Memory: two accesses that nothing orders, and what would have ordered them.
  data_race,           // nothing that could
  insufficient_scope,  // a release and an acquire, one of which does not reach the other's lane
  missing_acquire,     // the read of the flag orders nothing after it
  missing_release,     // the write of the flag orders nothing before it
  mixed_access,        // one of the two is atomic, or they are of different sizes
  // Barriers and waves.
  barrier_divergence,        // threads of a block at different barriers
  exited_thread_at_barrier,  // some wait at a barrier that others will not reach: they have returned
  wave_divergence,           // a wave operation that not all live lanes of the wave call together
  mask_mismatch,             // a group's operation that not exactly its lanes call
  unequal_grid_sync,         // blocks that reach the barrier of the grid or of a cluster a different number of times
  inactive_lane_read,        // a shuffle from a lane that does not take part in it
  width_assumption,          // another result with waves of another width
  // Progress.
  non_resident_deadlock,  // a wait for blocks that cannot start before the waiting ones end
  same_wave_wait,         // a lane waits for another lane of its wave, which on AMD cannot run meanwhile
  lost_signal,            // a wait for a value that was there and has been overwritten, or that nobody writes
  livelock,               // lanes that go on for ever
  // Protocols.
  sentinel_collision,        // data that equal the mark for "nothing there yet"
  rearm_unordered,           // a slot emptied while others may still read it, or filled while it is being emptied
  reset_unordered,           // a barrier or a counter reset while others use it
  uninitialised_shared,      // shared memory read before anybody wrote it
  uninitialised_sync_word,   // the same of a word that lanes synchronise by
  non_atomic_sync_word,      // a plain access to a word that others wait for
  out_of_bounds,             // beyond a buffer or a shared variable
  // Advice: no mistake, but more than is needed.
  wider_than_needed,  // a scope or a barrier
  // The kernel threw, or a check of an assertions build failed.
  kernel_failed,
};

// The enumerator, with '-' for '_'.
constexpr char const* to_string(finding_kind kind) noexcept {
  switch (kind) {
    case finding_kind::data_race: return "data-race";
    case finding_kind::insufficient_scope: return "insufficient-scope";
    case finding_kind::missing_acquire: return "missing-acquire";
    case finding_kind::missing_release: return "missing-release";
    case finding_kind::mixed_access: return "mixed-access";
    case finding_kind::barrier_divergence: return "barrier-divergence";
    case finding_kind::exited_thread_at_barrier: return "exited-thread-at-barrier";
    case finding_kind::wave_divergence: return "wave-divergence";
    case finding_kind::mask_mismatch: return "mask-mismatch";
    case finding_kind::unequal_grid_sync: return "unequal-grid-sync";
    case finding_kind::inactive_lane_read: return "inactive-lane-read";
    case finding_kind::width_assumption: return "width-assumption";
    case finding_kind::non_resident_deadlock: return "non-resident-deadlock";
    case finding_kind::same_wave_wait: return "same-wave-wait";
    case finding_kind::lost_signal: return "lost-signal";
    case finding_kind::livelock: return "livelock";
    case finding_kind::sentinel_collision: return "sentinel-collision";
    case finding_kind::rearm_unordered: return "rearm-unordered";
    case finding_kind::reset_unordered: return "reset-unordered";
    case finding_kind::uninitialised_shared: return "uninitialised-shared";
    case finding_kind::uninitialised_sync_word: return "uninitialised-sync-word";
    case finding_kind::non_atomic_sync_word: return "non-atomic-sync-word";
    case finding_kind::out_of_bounds: return "out-of-bounds";
    case finding_kind::wider_than_needed: return "wider-than-needed";
    case finding_kind::kernel_failed: return "kernel-failed";
  }
  return "unknown";
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
