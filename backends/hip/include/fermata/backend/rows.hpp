// Moves inside rows of 16 lanes on AMD (DPP): part of the instruction that uses the value, where a ds_bpermute takes an
// address and a trip to the hardware of shared memory.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/detail/generic/rows.hpp>
#include <fermata/detail/generic/words.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The fields of the instructions (LLVM, AMDGPU back end, "DPP").
enum dpp_control : int {
  dpp_swap_pair = 0xB1,    // quad_perm:[1,0,3,2]
  dpp_swap_pairs = 0x4E,   // quad_perm:[2,3,0,1]
  dpp_row_shr = 0x110,     // + the number of lanes
  dpp_mirror_row = 0x140,
  dpp_mirror_eight = 0x141,
  dpp_row_bcast15 = 0x142,  // gfx9 alone: the last lane of a row to the next row
  dpp_row_bcast31 = 0x143,  // gfx9 alone: lane 31 to the second half
};

// Where the source is no lane, or not active, zero.
template <int Control, class T>
FERMATA_DEVICE T dpp_or_zero(T const& value) noexcept {
  return detail::generic::for_each_word(value, [](std::uint32_t w) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_mov_dpp(static_cast<int>(w), Control, 0xF, 0xF, true));
  });
}

// Where the source is no lane, or not active, and in the rows that the mask does not name, `otherwise`.
template <int Control, int RowMask, class T>
FERMATA_DEVICE T dpp_or(T const& value, T const& otherwise) noexcept {
  return detail::generic::for_each_word_of_two(value, otherwise, [](std::uint32_t w, std::uint32_t o) {
    // A zero need not be in the register before.
    if (RowMask == 0xF && __builtin_constant_p(o) && o == 0)
      return static_cast<std::uint32_t>(__builtin_amdgcn_mov_dpp(static_cast<int>(w), Control, 0xF, 0xF, true));
    return static_cast<std::uint32_t>(
        __builtin_amdgcn_update_dpp(static_cast<int>(o), static_cast<int>(w), Control, RowMask, 0xF, false));
  });
}

#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
// The lanes of the other row: the same place in it, or always its last lane.
template <class T>
FERMATA_DEVICE T other_row(T const& value) noexcept {
  return detail::generic::for_each_word(value, [](std::uint32_t w) {
    return __builtin_amdgcn_permlanex16(w, w, 0x76543210u, 0xFEDCBA98u, false, false);
  });
}
template <class T>
FERMATA_DEVICE T last_of_other_row(T const& value) noexcept {
  return detail::generic::for_each_word(
      value, [](std::uint32_t w) { return __builtin_amdgcn_permlanex16(w, w, ~0u, ~0u, false, false); });
}
#endif

// The moves of detail::generic::row_butterfly and its like.
struct row_moves {
  template <class T>
  FERMATA_DEVICE static T other_of_pair(T const& v) noexcept {
    return dpp_or_zero<dpp_swap_pair>(v);
  }
  template <class T>
  FERMATA_DEVICE static T other_pair_of_four(T const& v) noexcept {
    return dpp_or_zero<dpp_swap_pairs>(v);
  }
  template <class T>
  FERMATA_DEVICE static T mirror_of_eight(T const& v) noexcept {
    return dpp_or_zero<dpp_mirror_eight>(v);
  }
  template <class T>
  FERMATA_DEVICE static T mirror_of_row(T const& v) noexcept {
    return dpp_or_zero<dpp_mirror_row>(v);
  }
  template <unsigned N, class T>
  FERMATA_DEVICE static T before_in_row(T const& v, T const& nothing) noexcept {
    return dpp_or<dpp_row_shr + static_cast<int>(N), 0xF>(v, nothing);
  }
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  template <class T>
  FERMATA_DEVICE static T last_of_even_row(T const& v, T const& nothing) noexcept {
    T const last = last_of_other_row(v);
    return (lane_id() & 16) != 0 ? last : nothing;
  }
#else
  // Nobody looks at what the first row and the first half get, which have none before them. But the operation takes it:
  // a value of some lane, or a zero where that is a number, which needs no further instruction.
  template <class T>
  FERMATA_DEVICE static T last_of_row_before(T const& v) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return dpp_or_zero<dpp_row_bcast15>(v);
    else
      return dpp_or<dpp_row_bcast15, 0xF>(v, v);
  }
  template <class T>
  FERMATA_DEVICE static T lane_31(T const& v) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return dpp_or_zero<dpp_row_bcast31>(v);
    else
      return dpp_or<dpp_row_bcast31, 0xF>(v, v);
  }
  template <class T>
  FERMATA_DEVICE static T last_of_even_row(T const& v, T const& nothing) noexcept {
    return dpp_or<dpp_row_bcast15, 0xA>(v, nothing);
  }
  template <class T>
  FERMATA_DEVICE static T lane_31_in_second_half(T const& v, T const& nothing) noexcept {
    return dpp_or<dpp_row_bcast31, 0xC>(v, nothing);
  }
#endif
};

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
