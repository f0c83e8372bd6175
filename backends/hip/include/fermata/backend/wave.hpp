// The wave on AMD: 64 lanes on gfx9 and before, 32 on gfx10 and later.
//
// Built on compiler builtins alone. HIP's own votes, shuffles and *_sync functions change their rules and their mask
// types from release to release.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/detail/generic/words.hpp>

#if defined(__AMDGCN_WAVEFRONT_SIZE__) && __AMDGCN_WAVEFRONT_SIZE__ == 64 && \
    (defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__))
#error "fermata: -mwavefrontsize64 is not supported on gfx10 and later (nor by HIP). Compile without it."
#endif

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// One bit per lane. The host pass of a file has no answer (one binary may hold both widths) and never runs this code;
// it only needs a type.
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
using lane_word = std::uint32_t;
#else
using lane_word = std::uint64_t;
#endif

// Pre of lowest_bit and highest_bit: w != 0.
FERMATA_DEVICE inline unsigned count_bits(std::uint32_t w) noexcept {
  return static_cast<unsigned>(__builtin_popcount(w));
}
FERMATA_DEVICE inline unsigned count_bits(std::uint64_t w) noexcept {
  return static_cast<unsigned>(__builtin_popcountll(w));
}
FERMATA_DEVICE inline unsigned lowest_bit(std::uint32_t w) noexcept { return static_cast<unsigned>(__builtin_ctz(w)); }
FERMATA_DEVICE inline unsigned lowest_bit(std::uint64_t w) noexcept {
  return static_cast<unsigned>(__builtin_ctzll(w));
}
FERMATA_DEVICE inline unsigned highest_bit(std::uint32_t w) noexcept {
  return 31u - static_cast<unsigned>(__builtin_clz(w));
}
FERMATA_DEVICE inline unsigned highest_bit(std::uint64_t w) noexcept {
  return 63u - static_cast<unsigned>(__builtin_clzll(w));
}

FERMATA_DEVICE inline unsigned wave_size() noexcept { return sizeof(lane_word) * 8; }

// Counted by the hardware among all lanes of the wave, active or not.
FERMATA_DEVICE inline unsigned lane_id() noexcept {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  return __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#else
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#endif
}

// Only active lanes have a bit.
FERMATA_DEVICE inline lane_word wave_ballot(bool predicate) noexcept {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  return __builtin_amdgcn_ballot_w32(predicate);
#else
  return __builtin_amdgcn_ballot_w64(predicate);
#endif
}

// The threads of the block, and the caller's place among them. Waves are filled in this order.
FERMATA_DEVICE inline unsigned block_threads() noexcept {
  return __builtin_amdgcn_workgroup_size_x() * __builtin_amdgcn_workgroup_size_y() *
         __builtin_amdgcn_workgroup_size_z();
}
FERMATA_DEVICE inline unsigned block_thread_rank() noexcept {
  unsigned const size_x = __builtin_amdgcn_workgroup_size_x(), size_y = __builtin_amdgcn_workgroup_size_y();
  return (__builtin_amdgcn_workitem_id_z() * size_y + __builtin_amdgcn_workitem_id_y()) * size_x +
         __builtin_amdgcn_workitem_id_x();
}

// The lanes that exist: fewer than the wave's width in the last wave of a block that is no multiple of it. Not counted
// with a ballot, which would miss the lanes of another branch.
FERMATA_DEVICE inline unsigned live_lanes() noexcept {
  unsigned const left = block_threads() - (block_thread_rank() & ~(wave_size() - 1));
  return left < wave_size() ? left : wave_size();
}

FERMATA_DEVICE inline bool wave_any(bool predicate) noexcept { return wave_ballot(predicate) != 0; }
FERMATA_DEVICE inline bool wave_all(bool predicate) noexcept { return wave_ballot(!predicate) == 0; }

// The lanes run together, so nothing has to be waited for; the compiler must not move accesses across, nor assume
// that a lane sees only its own.
FERMATA_DEVICE inline void wave_sync() noexcept {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

template <class T>
FERMATA_DEVICE T wave_shfl(T const& value, unsigned source) noexcept {
  // The instruction addresses lanes in bytes and takes the address modulo the wave.
  int const address = static_cast<int>(source * 4);
  return detail::generic::for_each_word(value, [address](std::uint32_t w) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(address, static_cast<int>(w)));
  });
}

template <class T>
FERMATA_DEVICE T wave_shfl_up(T const& value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return wave_shfl(value, delta <= lane ? lane - delta : lane);
}

template <class T>
FERMATA_DEVICE T wave_shfl_down(T const& value, unsigned delta) noexcept {
  unsigned const lane = lane_id();
  return wave_shfl(value, lane + delta < wave_size() ? lane + delta : lane);
}

template <class T>
FERMATA_DEVICE T wave_shfl_xor(T const& value, unsigned mask) noexcept {
  return wave_shfl(value, lane_id() ^ mask);
}

// The source is the same in all lanes, so the value goes through a scalar register and not through shared memory.
template <class T>
FERMATA_DEVICE T wave_broadcast(T const& value, unsigned source) noexcept {
  int const lane = __builtin_amdgcn_readfirstlane(static_cast<int>(source));
  return detail::generic::for_each_word(value, [lane](std::uint32_t w) {
    return static_cast<std::uint32_t>(__builtin_amdgcn_readlane(static_cast<int>(w), lane));
  });
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/backend/rows.hpp>
#include <fermata/detail/generic/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// Where the order of a sum makes no difference, by rows. Else the source is a lane before the caller's, step by step;
// where there is none, the address runs over, and nobody looks at the value.
template <class T, class Op>
FERMATA_DEVICE T wave_inclusive_scan(T const& value, Op op) noexcept {
  if constexpr (detail::generic::has_identity<T, Op>) {
    return detail::generic::scan_rows<sizeof(lane_word) / 2>(value, op, detail::generic::identity<T, Op>(),
                                                             row_moves{});
  } else {
    unsigned const lane = lane_id();
    return detail::generic::inclusive_scan(value, op, lane, wave_size(),
                                           [lane](T const& v, unsigned step) { return wave_shfl(v, lane - step); });
  }
}

// A scan does not mind lanes that are missing at the end, and the last lane has it all.
template <class T, class Op>
FERMATA_DEVICE T reduce_by_scan(T const& value, Op op, unsigned last) noexcept {
  return wave_broadcast(wave_inclusive_scan(value, op), last);
}

// Pre: all lanes of the wave are here. The butterfly, where a scan would add up in another order than elsewhere.
template <class T, class Op>
FERMATA_DEVICE T whole_wave_reduce(T const& value, Op op) noexcept {
  if constexpr (detail::generic::has_identity<T, Op>) {
    return reduce_by_scan(value, op, wave_size() - 1);
  } else {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
    T const row = detail::generic::row_butterfly<16>(value, op, row_moves{});
    return op(row, other_row(row));
#else
    return wave_broadcast(detail::generic::four_rows_into_last(value, op, row_moves{}), 63);
#endif
  }
}

// A ballot of `true` is EXEC: whether lanes are missing is one scalar comparison.
template <class T, class Op>
FERMATA_DEVICE T wave_reduce(T const& value, Op op) noexcept {
  lane_word const here = wave_ballot(true);
  if constexpr (detail::generic::has_identity<T, Op>) {
    return reduce_by_scan(value, op, highest_bit(here));
  } else {
    if (here != static_cast<lane_word>(~lane_word{0}))
      return detail::generic::partial_reduce(value, op, count_bits(here));
    return whole_wave_reduce(value, op);
  }
}

// Whether the caller's value has the same bits as that of the first active lane.
template <class T>
FERMATA_DEVICE bool equals_first_lane(T const& value) noexcept {
  bool equal = true;
  detail::generic::visit_words(value, [&](std::uint32_t w) {
    equal &= static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(w))) == w;
  });
  return equal;
}

// One turn for each value that is left: the lanes that have the first lane's value find each other and are done.
template <class T>
FERMATA_DEVICE lane_word wave_match_any(T const& value) noexcept {
  for (;;) {
    bool const mine = equals_first_lane(value);
    lane_word const same = wave_ballot(mine);
    if (mine) return same;
  }
}

template <class T>
FERMATA_DEVICE bool wave_match_all(T const& value) noexcept {
  return wave_all(equals_first_lane(value));
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
