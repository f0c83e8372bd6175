// What the user chooses through the environment. Read anew for every query and launch, so that a program can change
// it between launches.
#pragma once

#include <chrono>
#include <cstdint>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

struct settings {
  unsigned wave_size;                  // FERMATA_HOST_WAVE: 32 or 64
  unsigned resident_blocks;            // FERMATA_HOST_RESIDENT_BLOCKS: of each launch, over all workers
  unsigned workers;                    // FERMATA_HOST_WORKERS: threads that run blocks
  bool random_schedule;                // FERMATA_HOST_SCHEDULE: fair or random
  std::uint64_t seed;                  // FERMATA_HOST_SEED: of the random schedule
  std::chrono::milliseconds watchdog;  // FERMATA_HOST_WATCHDOG_MS: for waits that the host may end
};

// Throws errc::invalid_argument naming the variable and its legal values.
settings read_settings();

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
