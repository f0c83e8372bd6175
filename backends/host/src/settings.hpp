// What the user chooses through the environment. Read anew for every query and launch, so that a program can change
// it between launches.
#pragma once

#include <chrono>
#include <cstdint>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// How lanes take turns; pct and exhaustive in check mode only.
enum class turns : unsigned char { fair, random, pct, exhaustive };

struct settings {
  unsigned wave_size;                  // FERMATA_HOST_WAVE: 32 or 64
  unsigned resident_blocks;            // FERMATA_HOST_RESIDENT_BLOCKS: of each launch, over all workers
  unsigned workers;                    // FERMATA_HOST_WORKERS: threads that run blocks; 1 in check mode
  turns schedule;                      // FERMATA_HOST_SCHEDULE: fair or random
  std::uint64_t seed;                  // FERMATA_HOST_SEED: of the random schedule
  std::chrono::milliseconds watchdog;  // FERMATA_HOST_WATCHDOG_MS: for waits that the host may end
  // In check mode:
  unsigned depth;       // FERMATA_HOST_SCHEDULE=pct:<depth>
  std::uint64_t span;   // FERMATA_HOST_SCHEDULE=pct:<depth>:<span>: steps it is spread over; 0: those of the last run
  std::uint64_t steps;  // FERMATA_HOST_STEPS: yield points of a launch; 0: as many as it takes, while lanes return
  bool weak_values;     // FERMATA_HOST_WEAK_VALUES: whether atomic loads may return older values, 0 or 1
  unsigned xcds;        // FERMATA_HOST_XCDS: L2 caches apart from each other
  bool advice;          // FERMATA_HOST_ADVICE: whether to tell of what is wider than needed, 0 or 1
  bool alone = false;   // inside check(): the host queues nothing that a lane may wait for
};

// Throws errc::invalid_argument naming the variable and its legal values.
settings read_settings();

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
