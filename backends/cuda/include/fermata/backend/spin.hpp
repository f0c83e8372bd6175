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

// The policy of the grid barrier: which algorithm, and how many cycles from a block's arrival to its first poll. More
// blocks take longer to arrive; from some number on it is quicker to let them arrive at several words.
//   blocks             1     16    66    132   264   528   1056
//   cooperative groups 0.881 1.066 1.046 1.050 1.061 1.306 2.342
//   monotonic, at 0    0.588 0.858 0.902 0.956 1.243 1.716 3.232
//             125      0.636 0.795 0.891 0.923 1.140 1.569 2.990
//             275      0.720 0.840 0.819 0.830 0.985 1.296 2.695
//             300      0.736 0.857 0.835 0.842 0.916 1.250 2.656
//             375      0.771 0.890 0.869 0.867 0.892 1.190 2.505
//             700      0.938 1.056 1.035 1.032 1.036 1.089 2.045
//             1000     1.088 1.207 1.185 1.183 1.185 1.220 1.792
//   striped,  at 0     0.949 0.943 0.950 0.969 0.974 1.041 1.463
//             300      0.949 1.000 0.950 0.960 0.965 1.007 1.411
//             600      1.059 1.100 1.088 1.089 1.094 1.104 1.264
// The best time of a row has a cliff before it, where the first poll comes just too early, so these are a little late.
// The same probes saw flags from all to all at 1.5, gather and scatter at 1.7 and two levels by clusters at 1.3 where
// monotonic takes 0.83 (132 blocks).
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned blocks) noexcept { return blocks >= 400; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 32  ? 125
         : blocks <= 96  ? 275
         : blocks <= 198 ? 300
         : blocks < 400  ? 375
         : blocks <= 792 ? 700
                         : 1000;
}
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks <= 792 ? 300 : 600;
}

// Cycles from a block's publish to the first poll of an all-gather, 132 blocks. Floats:  528   2112  4224  8448
//   first poll at 0, best thread count                                                   1.156 0.717 0.708 1.016
//              300                                                                       0.581 0.604 0.707 0.930
FERMATA_DEVICE constexpr std::uint32_t exchange_first_poll() noexcept { return 300; }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
