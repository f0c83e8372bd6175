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

// The same value, computed where this stands: before a block's barrier, say, where there is time, and not behind it,
// where the compiler would move it and the leader's arrival would wait for it.
FERMATA_DEVICE inline std::uint32_t ahead(std::uint32_t value) noexcept {
  // No memory clobber: it orders the value alone, as far as the assembler goes by program order.
  asm volatile("" : "+r"(value));
  return value;
}

// The policy of the grid barrier: which algorithm, and how many cycles from a block's arrival to its first poll. More
// blocks take longer to arrive; from some number on it is quicker to let them arrive at several words. 256 threads a
// block, of which one writes a datum before each sixteenth crossing and reads another block's after it; lines that
// grid_barrier_storage chose (docs/results/2026-11-30-h200-placement/first_poll.txt, "both").
//   blocks             8     16    33    66    96    132   198   264   396   528   792   1056
//   cooperative groups 0.785 1.040 1.021 1.019 1.017 1.023 1.020 1.031 1.150 1.277 1.650 2.277
//   automatic, at 100  0.802 0.821 0.883 0.935 0.952 0.967 1.008 1.114 1.346 1.088 1.304 1.546
//              at 175  0.841 0.833 0.874 0.931 0.958 0.985 1.008 1.066 1.259 1.090 1.301 1.551
//              at 225  0.858 0.846 0.853 0.905 0.944 0.955 0.995 1.046 1.218 1.081 1.286 1.534
//              at 275  0.878 0.864 0.866 0.870 0.894 0.941 0.970 1.015 1.190 1.069 1.270 1.517
//              at 325  0.918 0.904 0.904 0.898 0.897 0.901 0.910 0.940 1.085 1.079 1.258 1.498
//              at 375  0.937 0.928 0.927 0.915 0.916 0.917 0.925 0.936 1.069 1.215 1.236 1.461
//              at 400  0.962 0.949 0.949 0.940 0.939 0.940 0.943 0.951 1.057 1.239 1.234 1.466
//              at 450  0.978 0.965 0.966 0.957 0.959 0.959 0.958 0.959 1.036 1.272 1.229 1.449
//              at 500  1.001 0.986 0.989 0.979 0.979 0.980 0.980 0.982 1.013 1.292 1.280 1.393
//              at 600  1.056 1.042 1.042 1.033 1.034 1.035 1.034 1.035 1.045 1.338 1.353 1.368
// The best time of a row has a cliff before it, where the first poll comes just too early, so these are a little late.
// From 528 blocks on it is striped. One block has nobody to wait for.
// Other algorithms, by hand-written probes: flags from all to all 1.5, gather and scatter 1.7, two levels by clusters
// 1.3 where monotonic took 0.89 (132 blocks).
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned blocks) noexcept { return blocks >= 400; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 8   ? 100
         : blocks <= 24  ? 175
         : blocks <= 48  ? 225
         : blocks <= 80  ? 275
         : blocks <= 240 ? 340
         : blocks <= 330 ? 370
                         : 500;
}
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks <= 700 ? 250 : blocks <= 900 ? 425 : 600;
}

// How many places for its lines a barrier's storage tries, if its algorithm has one line that all blocks change and
// poll. A round trip to a quarter of all lines is shorter in the median of the multiprocessors, 425 cycles and not 460,
// and the barrier follows it: r = 0.98 over 192 lines, 0.81 and 0.85 µs on the best, 0.86 and 0.90 on the others
// (132 and 264 blocks; docs/results/2026-11-30-h200-placement/lines.txt).
constexpr unsigned grid_barrier_places = 64;

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
