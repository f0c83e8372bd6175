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
// block, on lines that grid_barrier_storage chose (docs/results/2026-11-30-h200-placement/first_poll.txt).
//   blocks             1     8     16    33    66    96    132   198   264   330   396   528   792   1056
//   cooperative groups 0.830 0.819 1.022 0.999 0.992 0.990 0.989 0.997 1.003 1.081 1.128 1.260 1.626 2.215
//   automatic, at 0    0.509 0.596 0.834 0.860 0.887 0.901 0.923 1.025 1.172 1.286 1.395 1.068 1.286 1.570
//             50       0.480 0.509 0.744 0.828 0.851 0.863 0.884 0.943 1.058 1.207 1.328 0.954 1.118 1.381
//             100      0.480 0.529 0.731 0.789 0.854 0.865 0.879 0.924 1.030 1.174 1.279 0.956 1.120 1.382
//             175      0.483 0.572 0.748 0.752 0.811 0.867 0.893 0.916 0.980 1.097 1.170 0.957 1.118 1.383
//             225      0.480 0.590 0.765 0.748 0.744 0.762 0.883 0.915 0.963 1.062 1.138 0.986 1.111 1.364
//             275      0.481 0.609 0.784 0.768 0.761 0.764 0.775 0.896 0.941 1.036 1.106 1.002 1.108 1.349
//             350      0.480 0.647 0.823 0.806 0.801 0.800 0.802 0.808 0.857 0.909 0.988 1.058 1.080 1.309
//             400      0.479 0.686 0.863 0.845 0.840 0.840 0.839 0.839 0.845 0.868 0.964 1.084 1.083 1.295
//             500      0.480 0.728 0.902 0.885 0.880 0.879 0.878 0.876 0.878 0.887 0.917 1.146 1.155 1.224
//             600      0.480 0.786 0.965 0.948 0.943 0.944 0.943 0.941 0.937 0.942 0.951 1.205 1.221 1.210
// The best time of a row has a cliff before it, where the first poll comes just too early, so these are a little late.
// From 400 blocks on, in this table from 528, it is striped. One block looks at once in all rows. It is a bare loop; a
// form of the barrier that was not taken was measured with data between the crossings, too (with_data.txt, beside it).
// Other algorithms, by hand-written probes: flags from all to all 1.5, gather and scatter 1.7, two levels by clusters
// 1.3 where monotonic took 0.89 (132 blocks).
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned blocks) noexcept { return blocks >= 400; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 8   ? 50
         : blocks <= 24  ? 175
         : blocks <= 72  ? 225
         : blocks <= 140 ? 275
         : blocks <= 240 ? 350
         : blocks <= 330 ? 400
                         : 500;
}
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks <= 700 ? 100 : blocks <= 900 ? 350 : 600;
}

// How many places for its lines a barrier's storage tries, if its algorithm has one line that all blocks change and
// poll. A probe found round trips to a quarter of the lines shorter in the median of the multiprocessors, 425 cycles
// and not 460, and a bare loop of crossings follows: r = 0.98 over 192 lines, 0.81 and 0.85 µs on the best, 0.86 and
// 0.90 on the others (132 and 264 blocks; docs/results/2026-11-30-h200-placement/lines.txt). What the storage's own
// choice gains over a line by chance has not been measured by itself.
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
