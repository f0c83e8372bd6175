// CUDA: when to look first. Polls that come too early are not free: they queue at the L2 slice where the last
// arrivals, or the data, are still to be written. Figures: µs on one H200, one run of a probe around the library.
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
// blocks take longer to arrive; from some number on it is quicker to let them arrive at several words. 256 threads a
// block (docs/results/2026-11-30-h200-dataflow/first_poll.txt).
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
// a block has to make; 132 blocks, d floats, at the thread count that is best for the protocol
// (docs/results/2026-11-30-h200-barriers/exchange_first_poll.txt, n0).
//   first poll at               150   275   300   325   350   400   450   500
//   8 bytes    d 528  T  512  0.766 0.691 0.646 0.625 0.643 0.667 0.683 0.703
//             2112       512  0.791 0.778 0.744 0.738 0.751 0.780 0.800 0.818
//             4224      1024  0.911 0.880 0.883 0.888 0.897 0.917 0.942 0.973
//   16 bytes    528      256  1.009 0.958 0.952 0.932 0.875 0.823 0.833 0.838
//             2112       544  0.963 0.943 1.012 1.015 0.948 0.942 0.926 0.905
//             4224       704  0.961 0.950 0.931 0.912 0.912 0.929 0.939 0.963
//             8448       704  1.153 1.129 1.122 1.117 1.100 1.065 1.072 1.083
//   long ring 4224       704  0.962 0.930 0.883 0.867 0.867 0.884 0.904 0.934
//             8448       704  1.231 1.129 1.108 1.151 1.174 1.063 1.142 1.097
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll(unsigned bytes, unsigned polls) noexcept {
  if (bytes == 8) return 325;
  return polls > 768 && polls <= 1536 ? 350 : 400;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
