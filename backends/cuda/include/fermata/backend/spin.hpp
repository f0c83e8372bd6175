// CUDA: when to look first. Polls that come too early are not free: they queue at the L2 slice where the last
// arrivals, or the data, are still to be written. Figures: bare probes on one H200, 256 threads a block, µs. They
// served to choose; what fermata-bench measures with its checks is in docs/results.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// A stamp for wait_until; wraps around.
FERMATA_DEVICE inline std::uint32_t cycle_stamp() noexcept {
  std::uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory");
  return t;
}

// Returns no sooner than `cycles` after the stamp was taken; at once if that has passed.
FERMATA_DEVICE inline void wait_until(std::uint32_t stamp, std::uint32_t cycles) noexcept {
  if (cycles == 0) return;
  while (cycle_stamp() - stamp < cycles) {
  }
}

// Cycles from a block's arrival at a grid barrier to its first poll. More blocks take longer to arrive.
//   blocks           1     66    132    264    528   1056
//   first poll at 0  0.468 0.895 0.941  1.177  1.670 3.238
//              200   0.615 0.789 0.887  0.949  1.243 2.610
//              300   0.648 0.821 0.829  0.875  1.208 2.429
//              700   0.842 1.015 1.015  1.014  1.038 1.894
//             1000   1.003 1.177 1.176  1.174  1.188 1.667
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 96  ? 200
         : blocks <= 396 ? 300
         : blocks <= 792 ? 700
                         : 1000;
}

// Cycles from a block's publish to the first poll of an all-gather, 132 blocks. Floats:  528   2112  4224  8448
//   first poll at 0, best thread count                                                   1.156 0.717 0.708 1.016
//              300                                                                       0.581 0.604 0.707 0.930
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll() noexcept { return 300; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
