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

// redux.sync reduces 32-bit integers over the lanes of a mask in one instruction.
template <class T, class Op>
inline constexpr bool has_redux =
    std::is_integral_v<T> && sizeof(T) == 4 &&
    (std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
     std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>);

template <class T, class Op>
FERMATA_DEVICE T redux(lane_word members, T value, Op) noexcept {
  using number = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  if constexpr (std::is_same_v<Op, plus>)
    return static_cast<T>(__reduce_add_sync(members, static_cast<number>(value)));
  else if constexpr (std::is_same_v<Op, minimum>)
    return static_cast<T>(__reduce_min_sync(members, static_cast<number>(value)));
  else if constexpr (std::is_same_v<Op, maximum>)
    return static_cast<T>(__reduce_max_sync(members, static_cast<number>(value)));
  else if constexpr (std::is_same_v<Op, bit_and>)
    return static_cast<T>(__reduce_and_sync(members, static_cast<unsigned>(value)));
  else if constexpr (std::is_same_v<Op, bit_or>)
    return static_cast<T>(__reduce_or_sync(members, static_cast<unsigned>(value)));
  else
    return static_cast<T>(__reduce_xor_sync(members, static_cast<unsigned>(value)));
}

// Partial warps included; what redux.sync cannot do is shuffles.
template <class T, class Op>
FERMATA_DEVICE T wave_reduce(T value, Op op) noexcept {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (has_redux<T, Op>)
    return redux(every_lane, value, op);
  else
#endif
    return detail::generic::wave_reduce(value, op);
}

// The last argument of shfl.sync.up for segments of `Size` lanes: they begin at the multiples of it.
template <unsigned Size>
inline constexpr unsigned segment_control = (32 - Size) << 8;

// One step of a scan among `Size` lanes: adds the value of the lane `step` before, where there is one. The shuffle
// itself tells whether there is, in a predicate that the language has no word for; so the addition needs no comparison.
template <unsigned Size>
FERMATA_DEVICE std::uint32_t scan_step_add(lane_word members, std::uint32_t value, unsigned step) noexcept {
  std::uint32_t result;
  // No memory clobber: a shuffle neither touches nor orders memory.
  asm volatile(
      "{ .reg .u32 r; .reg .pred p; shfl.sync.up.b32 r|p, %1, %2, %3, %4; @p add.u32 r, r, %1; mov.u32 %0, r; }"
      : "=r"(result)
      : "r"(value), "r"(step), "n"(segment_control<Size>), "r"(members));
  return result;
}
template <unsigned Size>
FERMATA_DEVICE float scan_step_add(lane_word members, float value, unsigned step) noexcept {
  float result;
  // No memory clobber: a shuffle neither touches nor orders memory.
  asm volatile(
      "{ .reg .f32 r; .reg .pred p; shfl.sync.up.b32 r|p, %1, %2, %3, %4; @p add.f32 r, r, %1; mov.f32 %0, r; }"
      : "=f"(result)
      : "f"(value), "r"(step), "n"(segment_control<Size>), "r"(members));
  return result;
}
template <unsigned Size>
FERMATA_DEVICE std::uint64_t scan_step_add(lane_word members, std::uint64_t value, unsigned step) noexcept {
  std::uint64_t result;
  // No memory clobber: a shuffle neither touches nor orders memory.
  asm volatile(
      "{ .reg .u64 r; .reg .u32 lo, hi; .reg .pred p; mov.b64 {lo, hi}, %1; shfl.sync.up.b32 lo|p, lo, %2, %3, %4; "
      "shfl.sync.up.b32 hi|p, hi, %2, %3, %4; mov.b64 r, {lo, hi}; @p add.u64 r, r, %1; mov.u64 %0, r; }"
      : "=l"(result)
      : "l"(value), "r"(step), "n"(segment_control<Size>), "r"(members));
  return result;
}
template <unsigned Size>
FERMATA_DEVICE double scan_step_add(lane_word members, double value, unsigned step) noexcept {
  double result;
  // No memory clobber: a shuffle neither touches nor orders memory.
  asm volatile(
      "{ .reg .f64 r; .reg .u32 lo, hi; .reg .pred p; mov.b64 {lo, hi}, %1; shfl.sync.up.b32 lo|p, lo, %2, %3, %4; "
      "shfl.sync.up.b32 hi|p, hi, %2, %3, %4; mov.b64 r, {lo, hi}; @p add.f64 r, r, %1; mov.f64 %0, r; }"
      : "=d"(result)
      : "d"(value), "r"(step), "n"(segment_control<Size>), "r"(members));
  return result;
}

// The scan among the `Size` lanes of each segment, all of which `members` names.
template <unsigned Size, class T, class Op>
FERMATA_DEVICE T segment_scan(lane_word members, T value, Op op) noexcept {
  constexpr bool adds_integers = std::is_same_v<Op, plus> && std::is_integral_v<T> && !std::is_same_v<T, bool>;
  constexpr bool adds_floats =
      std::is_same_v<Op, plus> && (std::is_same_v<T, float> || std::is_same_v<T, double>);
  if constexpr (adds_integers && sizeof(T) <= 8) {
    using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    word sum = static_cast<word>(value);
    for (unsigned step = 1; step < Size; step *= 2) sum = scan_step_add<Size>(members, sum, step);
    return static_cast<T>(sum);
  } else if constexpr (adds_floats) {
    for (unsigned step = 1; step < Size; step *= 2) value = scan_step_add<Size>(members, value, step);
    return value;
  } else {
    return detail::generic::inclusive_scan(value, op, lane_id() % Size, Size, [members](T const& v, unsigned step) {
      return detail::generic::for_each_word(
          v, [=](std::uint32_t w) { return __shfl_up_sync(members, w, step, static_cast<int>(Size)); });
    });
  }
}

template <class T, class Op>
FERMATA_DEVICE T wave_inclusive_scan(T value, Op op) noexcept {
  return segment_scan<32>(every_lane, value, op);
}

// The lanes of `members` whose value has the same bits as the caller's: for wider values the intersection of what
// match.sync says of their words, eight bytes at a time.
template <class T>
FERMATA_DEVICE lane_word lanes_match_any(lane_word members, T value) noexcept {
  lane_word same = members;
  detail::generic::visit_wide_words(value, [&](auto word) { same &= __match_any_sync(members, word); });
  return same;
}
template <class T>
FERMATA_DEVICE bool lanes_match_all(lane_word members, T value) noexcept {
  bool same = true;
  detail::generic::visit_wide_words(value, [&](auto word) {
    int all;
    __match_all_sync(members, word, &all);
    same = same && all != 0;
  });
  return same;
}

template <class T>
FERMATA_DEVICE lane_word wave_match_any(T value) noexcept {
  return lanes_match_any(every_lane, value);
}
template <class T>
FERMATA_DEVICE bool wave_match_all(T value) noexcept {
  return lanes_match_all(every_lane, value);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
