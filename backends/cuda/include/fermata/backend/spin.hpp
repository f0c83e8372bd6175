// CUDA: when to look first. Polls that come too early are not free: they queue at the L2 slice where the last
// arrivals, or the data, are still to be written. Figures: bare probes on one H200, 256 threads a block, µs. They
// served to choose; what fermata-bench measures with its checks is in docs/results.
#pragma once

#include <fermata/detail/device_code.hpp>

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// A stamp for wait_until. Of 64 bits, because ptxas reads the lower 32 alone by a slower instruction (S2UR, not CS2R).
FERMATA_DEVICE inline std::uint64_t cycle_stamp() noexcept {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory");
  return t;
}

// Returns no sooner than `cycles` after the stamp was taken; at once if that has passed.
FERMATA_DEVICE inline void wait_until(std::uint64_t stamp, std::uint32_t cycles) noexcept {
  if (cycles == 0) return;
  while (cycle_stamp() - stamp < cycles) {
  }
}

// The policy of the grid barrier: which algorithm, and how many cycles from a block's arrival to its first poll. More
// blocks take longer to arrive; from some number on it is quicker to let them arrive at several words.
//   blocks             1     16    66    132   264   528   1056
//   cooperative groups 0.845 1.043 1.014 1.015 1.030 1.280 2.310
//   monotonic, at 0    0.564 0.809 0.917 0.959 1.143 1.605 3.098
//             125      0.618 0.804 0.905 0.971 1.065 1.451 2.852
//             250      0.676 0.860 0.852 0.927 0.998 1.307 2.690
//             300      0.716 0.899 0.886 0.892 0.932 1.250 2.600
//             350      0.736 0.919 0.906 0.907 0.929 1.214 2.504
//             700      0.913 1.096 1.082 1.082 1.086 1.102 2.034
//             1000     1.070 1.257 1.240 1.239 1.241 1.301 1.846
//   striped,  at 0     1.088 1.001 1.008 1.012 0.986 1.038 1.549
//             300      1.241 1.165 1.168 1.176 1.093 1.075 1.520
//             700      1.438 1.348 1.352 1.354 1.362 1.313 1.415
// The best time of a row has a cliff before it, where the first poll comes just too early, so these are a little late.
// Other algorithms, by hand-written probes: flags from all to all 1.5, gather and scatter 1.7, two levels by clusters
// 1.3 where monotonic takes 0.89 (132 blocks).
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned blocks) noexcept { return blocks >= 400; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 32  ? 100
         : blocks <= 96  ? 250
         : blocks <= 198 ? 300
         : blocks < 400  ? 350
         : blocks <= 792 ? 700
                         : 1000;
}
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks <= 792 ? 0 : 700;
}

// Cycles from a block's publish in an all-gather to its first poll, by the bytes of a poll and the number of polls that
// a block has to make; 132 blocks.
//   d floats, best threads    528 (16 B / 8 B)   2112          4224          8448
//   first poll at 0           1.042 / 0.868      0.920 / 0.880 0.984 / 1.115 1.220 / 1.535
//              225            0.863 / 0.823      0.794 / 0.806 0.891 / 0.905 1.086 / 1.287
//              350            0.763 / 0.695      0.837 / 0.760 0.861 / 0.894 1.100 / 1.312
//              400            0.732 / 0.713      0.857 / 0.752 0.877 / 0.908 1.115 / 1.325
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll(unsigned bytes, unsigned polls) noexcept {
  if (bytes == 8) return polls <= 1024 ? 350 : polls <= 3072 ? 400 : polls <= 6144 ? 300 : 225;
  return polls <= 256 ? 400 : polls <= 768 ? 225 : polls <= 1536 ? 350 : 275;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
