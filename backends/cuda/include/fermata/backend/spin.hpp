// CUDA: when to look first. Polls that come too early are not free: they queue at the L2 slice where the last
// arrivals, or the data, are still to be written. Figures: µs on one H200, 256 threads a block, one run of a probe
// around the library (docs/results/2026-11-30-h200-dataflow/first_poll.txt).
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
//   cooperative groups 0.787 1.042 1.020 1.024 1.036 1.281 2.315
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
//   first poll at 0           1.042 / 0.850      0.920 / 0.890 0.984 / 1.110 1.220 / 1.551
//              225            0.863 / 0.828      0.794 / 0.813 0.891 / 0.914 1.086 / 1.344
//              300            0.817 / 0.731      0.817 / 0.789 0.892 / 0.902 1.086 / 1.338
//              350            0.763 / 0.711      0.837 / 0.789 0.861 / 0.908 1.100 / 1.345
//              400            0.732 / 0.684      0.857 / 0.762 0.877 / 0.925 1.115 / 1.369
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll(unsigned bytes, unsigned polls) noexcept {
  if (bytes == 8) return polls <= 3072 ? 400 : 300;
  return polls <= 256 ? 400 : polls <= 768 ? 225 : polls <= 1536 ? 350 : 275;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
