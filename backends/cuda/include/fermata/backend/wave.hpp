// CUDA: the warp. All lanes that have not exited are named in every _sync call, which is the contract of
// fermata::wave_group; lanes that do not exist in a partial warp count as exited.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/detail/generic/words.hpp>
#include <fermata/functional.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

using lane_word = std::uint32_t;
inline constexpr lane_word every_lane = 0xFFFFFFFFu;

FERMATA_DEVICE inline unsigned count_bits(lane_word m) noexcept { return __popc(m); }
FERMATA_DEVICE inline unsigned lowest_bit(lane_word m) noexcept { return __ffs(m) - 1; }
FERMATA_DEVICE inline unsigned highest_bit(lane_word m) noexcept { return 31 - __clz(m); }

// Not constexpr, and not `warpSize`, which nvcc reads from a special register: a plain 32 folds away.
FERMATA_DEVICE inline unsigned wave_size() noexcept { return 32; }

FERMATA_DEVICE inline unsigned lane_id() noexcept {
  unsigned lane;
  // Not volatile: a lane never changes, and reading it touches no memory.
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

FERMATA_DEVICE inline unsigned live_lanes() noexcept {
  unsigned const threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned const rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned const left = threads - (rank & ~31u);
  return left < 32 ? left : 32;
}

FERMATA_DEVICE inline void wave_sync() noexcept { __syncwarp(every_lane); }
FERMATA_DEVICE inline bool wave_any(bool p) noexcept { return __any_sync(every_lane, p); }
FERMATA_DEVICE inline bool wave_all(bool p) noexcept { return __all_sync(every_lane, p); }
FERMATA_DEVICE inline lane_word wave_ballot(bool p) noexcept { return __ballot_sync(every_lane, p); }

template <class T>
FERMATA_DEVICE T wave_shfl(T value, unsigned source) noexcept {
  return detail::generic::for_each_word(value,
                                        [source](std::uint32_t w) { return __shfl_sync(every_lane, w, source); });
}
template <class T>
FERMATA_DEVICE T wave_shfl_up(T value, unsigned delta) noexcept {
  return detail::generic::for_each_word(value,
                                        [delta](std::uint32_t w) { return __shfl_up_sync(every_lane, w, delta); });
}
template <class T>
FERMATA_DEVICE T wave_shfl_down(T value, unsigned delta) noexcept {
  return detail::generic::for_each_word(value,
                                        [delta](std::uint32_t w) { return __shfl_down_sync(every_lane, w, delta); });
}
template <class T>
FERMATA_DEVICE T wave_shfl_xor(T value, unsigned mask) noexcept {
  return detail::generic::for_each_word(value,
                                        [mask](std::uint32_t w) { return __shfl_xor_sync(every_lane, w, mask); });
}
template <class T>
FERMATA_DEVICE T wave_broadcast(T value, unsigned source) noexcept {
  return wave_shfl(value, source);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/generic/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// redux.sync does a whole warp of 32-bit integers in one instruction, partial warps included; the rest is shuffles.
template <class T, class Op>
FERMATA_DEVICE T wave_reduce(T value, Op op) noexcept {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    if constexpr (std::is_same_v<Op, plus>)
      return __reduce_add_sync(every_lane, value);
    else if constexpr (std::is_same_v<Op, minimum>)
      return __reduce_min_sync(every_lane, value);
    else if constexpr (std::is_same_v<Op, maximum>)
      return __reduce_max_sync(every_lane, value);
    else if constexpr (std::is_same_v<Op, bit_and>)
      return __reduce_and_sync(every_lane, static_cast<unsigned>(value));
    else if constexpr (std::is_same_v<Op, bit_or>)
      return __reduce_or_sync(every_lane, static_cast<unsigned>(value));
    else if constexpr (std::is_same_v<Op, bit_xor>)
      return __reduce_xor_sync(every_lane, static_cast<unsigned>(value));
    else
      return detail::generic::wave_reduce(value, op);
  } else
#endif
    return detail::generic::wave_reduce(value, op);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
