// Tiles: the lanes of a wave, or the threads of a block, cut into groups of N that lie side by side.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <type_traits>

#include <fermata/backend/tile.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/check.hpp>
#include <fermata/detail/scan.hpp>
#include <fermata/functional.hpp>
#include <fermata/lane_mask.hpp>
#include <fermata/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace detail {

constexpr bool is_tile_size(unsigned n, unsigned most) noexcept { return n != 0 && n <= most && (n & (n - 1)) == 0; }

}  // namespace detail

// N neighbouring lanes, N a power of two up to 32, the narrowest wave there is: such a tile is part of one wave on
// every target. Obtained from tiled_partition<N>(this_wave()) or tiled_partition<N>(this_block()).
// Ranks are 0 … N - 1; a set of ranks has bit i for rank i. The members are those of this_wave().
//
// Pre     the block is a multiple of N threads, so that every lane of the tile exists. Of every collective: the N lanes
//         call it together; other tiles need not.
// Memory  sync() orders memory among the lanes of the tile; the other collectives order nothing.
// Emits   what the wave's members do, on CUDA with the tile's mask and segment width, on HIP with the source kept
//         inside the tile. No search: the mask is two instructions, none for 32 on CUDA.
template <unsigned N, class Parent = block_group>
class tile {
  static_assert(detail::is_tile_size(N, 32), "fermata::tile<N>: N must be a power of two, 1 to 1024");

 public:
  FERMATA_DEVICE static constexpr unsigned size() noexcept { return N; }
  FERMATA_DEVICE unsigned thread_rank() const noexcept { return backend::lane_id() & (N - 1); }
  // The tile's place among those of the wave or the block, and their number.
  FERMATA_DEVICE unsigned meta_group_rank() const noexcept {
    if constexpr (std::is_same_v<Parent, wave_group>)
      return backend::lane_id() / N;
    else
      return backend::block_thread_rank() / N;
  }
  FERMATA_DEVICE unsigned meta_group_size() const noexcept {
    if constexpr (std::is_same_v<Parent, wave_group>)
      return (backend::live_lanes() + N - 1) / N;
    else
      return (backend::block_dim().count() + N - 1) / N;
  }

  FERMATA_DEVICE void sync() const noexcept {
    detail::check_members(members(), detail::operation::sync);
    backend::lanes_sync(members());
  }
  FERMATA_DEVICE bool any(bool predicate) const noexcept {
    detail::check_members(members(), detail::operation::any);
    return backend::lanes_any(members(), predicate);
  }
  FERMATA_DEVICE bool all(bool predicate) const noexcept {
    detail::check_members(members(), detail::operation::all);
    return backend::lanes_all(members(), predicate);
  }

  // The ranks whose predicate holds.
  FERMATA_DEVICE lane_mask ballot(bool predicate) const noexcept {
    detail::check_members(members(), detail::operation::ballot);
    unsigned const lane = backend::lane_id();
    return ranks(backend::lanes_ballot(backend::tile_lanes<N>(lane), predicate), lane);
  }

  // The value of rank `source` modulo N.
  template <class T>
  FERMATA_DEVICE T shfl(T value, unsigned source) const noexcept {
    detail::check_members(members(), detail::operation::shfl);
    detail::require_travelling<T>();
    return backend::tile_shfl<N>(value, source);
  }
  // The value of the rank `delta` below or above; one's own beyond the end of the tile. Pre: delta < N.
  template <class T>
  FERMATA_DEVICE T shfl_up(T value, unsigned delta) const noexcept {
    detail::check_members(members(), detail::operation::shfl_up);
    detail::require_travelling<T>();
    return backend::tile_shfl_up<N>(value, delta);
  }
  template <class T>
  FERMATA_DEVICE T shfl_down(T value, unsigned delta) const noexcept {
    detail::check_members(members(), detail::operation::shfl_down);
    detail::require_travelling<T>();
    return backend::tile_shfl_down<N>(value, delta);
  }
  // The value of rank thread_rank() ^ mask. Pre: mask < N.
  template <class T>
  FERMATA_DEVICE T shfl_xor(T value, unsigned mask) const noexcept {
    detail::check_members(members(), detail::operation::shfl_xor);
    detail::require_travelling<T>();
    return backend::tile_shfl_xor<N>(value, mask);
  }
  // The value of one rank for all. Pre: source < N, the same in every lane of the tile.
  template <class T>
  FERMATA_DEVICE T broadcast(T value, unsigned source = 0) const noexcept {
    detail::check_members(members(), detail::operation::broadcast);
    return shfl(value, source);
  }

  // The ranks whose value has the same bits as the caller's, and whether all have. Padding counts: T should have none.
  template <class T>
  FERMATA_DEVICE lane_mask match_any(T value) const noexcept {
    detail::check_members(members(), detail::operation::match_any);
    detail::require_travelling<T>();
    unsigned const lane = backend::lane_id();
    return ranks(backend::lanes_match_any(backend::tile_lanes<N>(lane), value), lane);
  }
  template <class T>
  FERMATA_DEVICE bool match_all(T value) const noexcept {
    detail::check_members(members(), detail::operation::match_all);
    detail::require_travelling<T>();
    return backend::lanes_match_all(members(), value);
  }

  // op over the values of all ranks, the same result in every lane.
  // Emits  CUDA: redux.sync for 32-bit integers, else log2(N) shuffles. HIP: log2(N) times op with
  //        an operand from another lane (DPP), for each 4 bytes; gfx9 shuffles once for N = 32.
  template <class T, class Op>
  FERMATA_DEVICE T reduce(T value, Op op) const noexcept {
    detail::check_members(members(), detail::operation::reduce);
    detail::require_travelling<T>();
    return backend::tile_reduce<N>(value, op);
  }

  // As this_wave().inclusive_scan() and exclusive_scan(), within the tile.
  template <class T, class Op = plus>
  FERMATA_DEVICE T inclusive_scan(T value, Op op = {}) const noexcept {
    detail::check_members(members(), detail::operation::inclusive_scan);
    detail::require_travelling<T>();
    return backend::tile_inclusive_scan<N>(value, op);
  }
  template <class T, class Op>
  FERMATA_DEVICE T exclusive_scan(T value, Op op, std::type_identity_t<T> init) const noexcept {
    return detail::exclusive_scan(*this, value, op, init);
  }
  template <class T>
  FERMATA_DEVICE T exclusive_scan(T value) const noexcept {
    return detail::exclusive_sum(*this, value);
  }

  // True in exactly one lane of the tile, rank 0.
  FERMATA_DEVICE bool elect() const noexcept { return thread_rank() == 0; }

 private:
  FERMATA_DEVICE static backend::lane_word members() noexcept { return backend::tile_lanes<N>(backend::lane_id()); }
  // Some lanes of the tile of `lane` as ranks: shifted down by its first lane.
  FERMATA_DEVICE static lane_mask ranks(backend::lane_word some, unsigned lane) noexcept {
    return lane_mask(static_cast<backend::lane_word>(some >> (lane & ~(N - 1))));
  }
};

// Cuts the wave, or every wave of the block, into tiles of N lanes. No instruction. Tiles wider than 32 are made of the
// block and meet in shared memory: see tile_scratch.
template <unsigned N>
FERMATA_DEVICE tile<N, wave_group> tiled_partition(wave_group) noexcept {
  static_assert(N <= 32,
                "fermata::tiled_partition<N>(this_wave()): N must be at most 32, because that is all the lanes "
                "that a wave has on some targets. Partition the block: "
                "tiled_partition<N>(this_block(), scratch), with a tile_scratch<N, Threads> in shared memory.");
  return {};
}
template <unsigned N>
FERMATA_DEVICE tile<N, block_group> tiled_partition(block_group) noexcept {
  static_assert(N <= 32,
                "fermata::tiled_partition<N>(this_block()): tiles of more than 32 threads meet in shared "
                "memory. Pass a tile_scratch<N, Threads> declared by FERMATA_SHARED as the second argument.");
  return {};
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/wide_tile.hpp>
