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
  // The time to go is computed once, so that a turn, after which the wait may be over, is short.
  std::uint64_t const then = stamp + cycles;
  while (cycle_stamp() < then) {
  }
}

// The same value, computed where this stands: before a block's barrier, say, where there is time, and not behind it,
// where the compiler would move it and the leader's arrival would wait for it.
FERMATA_DEVICE inline std::uint32_t ahead(std::uint32_t value) noexcept {
  // No memory clobber: it orders the value alone, and for NVVM alone. In a loop around a barrier ptxas may compute the
  // value once more behind it.
  asm volatile("" : "+r"(value));
  return value;
}

// The policy of the grid barrier: which algorithm, and how many cycles from a block's arrival to its first poll. More
// blocks take longer to arrive; from some number on it is quicker to let them arrive at several words. 256 threads a
// block, a bare loop, lines that grid_barrier_storage chose (docs/results/2026-11-30-h200-nearest/first_poll.txt).
//   blocks              1     8     16    33    66    96    132   198   264   330   396   528   792   1056
//   cooperative groups  0.751 0.743 1.001 0.982 0.982 0.973 0.987 0.988 0.990 1.061 1.107 1.228 1.601 2.234
//   automatic, at 0     0.535 0.622 0.788 0.824 0.844 0.861 0.889 0.974 1.076 1.225 1.333 0.990 1.130 1.396
//              at 50    0.530 0.571 0.796 0.825 0.848 0.867 0.893 0.963 1.083 1.236 1.342 0.991 1.132 1.399
//              at 100   0.531 0.576 0.772 0.795 0.845 0.857 0.875 0.920 1.034 1.177 1.273 0.991 1.134 1.398
//              at 200   0.529 0.626 0.749 0.782 0.828 0.860 0.873 0.910 0.972 1.080 1.153 0.991 1.132 1.396
//              at 250   0.530 0.643 0.764 0.757 0.757 0.849 0.870 0.903 0.949 1.053 1.121 0.976 1.123 1.381
//              at 300   0.530 0.676 0.797 0.781 0.776 0.774 0.782 0.864 0.916 0.989 1.063 1.037 1.114 1.359
//              at 350   0.531 0.693 0.814 0.797 0.793 0.791 0.791 0.803 0.868 0.930 0.996 1.155 1.100 1.333
//              at 375   0.531 0.709 0.831 0.814 0.811 0.808 0.807 0.811 0.833 0.911 0.980 1.170 1.103 1.325
//              at 425   0.530 0.744 0.864 0.847 0.843 0.840 0.841 0.831 0.843 0.866 0.958 1.197 1.213 1.286
//              at 450   0.530 0.744 0.864 0.847 0.843 0.840 0.840 0.841 0.843 0.865 0.958 1.209 1.235 1.270
//              at 500   0.531 0.777 0.898 0.881 0.877 0.875 0.875 0.873 0.874 0.881 0.923 1.231 1.254 1.252
//              at 550   0.530 0.796 0.914 0.900 0.894 0.893 0.891 0.890 0.891 0.894 0.902 1.257 1.283 1.271
//              at 650   0.530 0.845 0.965 0.947 0.942 0.941 0.942 0.940 0.940 0.941 0.946 1.308 1.329 1.348
// The best time of a row has a cliff before it, where the first poll comes just too early, and with data between the
// crossings, which that file has too, the cliff is later; so these are a little late. One block looks at once in all
// rows. From 400 blocks on it is striped.
// Other algorithms, by hand-written probes: flags from all to all 1.5, gather and scatter 1.7, two levels by clusters
// 1.3 where monotonic took 0.89 (132 blocks).
FERMATA_DEVICE constexpr bool grid_barrier_is_striped(unsigned blocks) noexcept { return blocks >= 400; }
FERMATA_DEVICE constexpr std::uint32_t grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks == 1     ? 0
         : blocks <= 8   ? 50
         : blocks <= 24  ? 200
         : blocks <= 48  ? 250
         : blocks <= 112 ? 300
         : blocks <= 164 ? 350
         : blocks <= 240 ? 375
         : blocks <= 280 ? 390
         : blocks <= 345 ? 450
                         : 550;
}
FERMATA_DEVICE constexpr std::uint32_t striped_grid_barrier_first_poll(unsigned blocks) noexcept {
  return blocks <= 700 ? 100 : blocks <= 800 ? 300 : blocks <= 1000 ? 375 : 500;
}

// How many places for its lines a barrier's storage tries, if its algorithm has one line that all blocks change and
// poll, and how many lines they are apart: neighbours by eights are alike. A bare loop of crossings takes 2 to 5 % less
// on the line that a storage chose than on one by chance: 0.782 and 0.755 µs with 66 blocks, 0.829 and 0.784 with 132,
// 0.905 and 0.864 with 198, 0.935 and 0.917 with 264, the medians of 16 lines of each in one run
// (docs/results/2026-11-30-h200-nearest/placement.txt).
constexpr unsigned grid_barrier_places = 64, grid_barrier_lines_apart = 8;

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
