// Tiles wider than a wave may be: 64 to 1,024 threads of a block. Included by <fermata/tile.hpp>.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fermata/backend/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/generic/words.hpp>
#include <fermata/detail/scan.hpp>
#include <fermata/scope.hpp>
#include <fermata/tile.hpp>
#include <fermata/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace detail {

template <class>
inline constexpr bool always_false = false;

}  // namespace detail

// Where the waves of the tiles of a block meet: in block-shared memory, for a block of up to `Threads` threads.
//   FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
//   auto tile = fm::tiled_partition<128>(fm::this_block(), scratch);
// Needs no initialisation; the partition does it. Eight bytes a thread, unused where one wave holds the tile.
template <unsigned N, unsigned Threads>
struct tile_scratch {
  static_assert(
      detail::is_tile_size(N, 1024) && N >= 64,
      "fermata::tile_scratch<N, Threads>: N must be 64, 128, 256, 512 or 1024; narrower tiles need no scratch");
  static_assert(Threads % N == 0 && Threads != 0,
                "fermata::tile_scratch<N, Threads>: the block must be a multiple of N threads");
  // Arrivals of the waves of each tile: only grows, and wraps around at a multiple of their number.
  std::uint32_t arrived[Threads / N];
  // A word for each thread, twice: who comes late may still read one while others write the next.
  std::uint32_t words[2][Threads];
};

// N threads of a block that lie side by side, N = 64 … 1024. Obtained from tiled_partition<N>(this_block(), scratch).
// Where a wave has N lanes the tile is a wave and costs the same; elsewhere its waves meet in shared memory.
//
// Pre     the block is a multiple of N threads. Of every collective: the N threads call it together, the same one;
//         other tiles need not.
// Memory  every collective of more than one wave orders memory among the threads of the tile, as sync() does; where a
//         wave holds the tile, only sync() does. Rely on sync() alone.
// Cost    an arrival and a wait of one lane of each wave, through an atomic in shared memory; every exchange of
//         values one such meeting for each 4 bytes (shfl) or for all of them (reduce, scans, broadcast).
// Waits   for other waves of the block, never for a lane of its own wave.
template <unsigned N, class Parent>
requires(N > 32) class tile<N, Parent> {
  static_assert(detail::is_tile_size(N, 1024), "fermata::tile<N>: N must be a power of two, 1 to 1024");

 public:
  FERMATA_DEVICE static constexpr unsigned size() noexcept { return N; }
  FERMATA_DEVICE unsigned thread_rank() const noexcept { return backend::block_thread_rank() & (N - 1); }
  FERMATA_DEVICE unsigned meta_group_rank() const noexcept { return backend::block_thread_rank() / N; }
  FERMATA_DEVICE unsigned meta_group_size() const noexcept { return backend::block_dim().count() / N; }

  // Waits for all threads of the tile, and makes what they did before visible to all of them.
  FERMATA_DEVICE void sync() const noexcept {
    this_wave().sync();
    if (is_wave()) return;
    if (this_wave().elect()) {
      constexpr auto scope = thread_scope::block;
      std::uint32_t const before = backend::atomic_fetch_add<scope, std::memory_order_release>(arrived_, 1u);
      // All waves of a meeting have the same target, whichever comes first, and whatever the count was when it began.
      std::uint32_t const target = (before & ~(waves() - 1)) + waves();
      backend::atomic_await<scope, std::memory_order_acquire>(
          arrived_, [target](std::uint32_t seen) { return static_cast<std::int32_t>(seen - target) >= 0; });
    }
    this_wave().sync();
  }

  FERMATA_DEVICE bool any(bool predicate) const noexcept {
    bool const here = this_wave().any(predicate);
    if (is_wave()) return here;
    return over_waves(here ? 1u : 0u, waves(), bit_or{}) != 0;
  }
  FERMATA_DEVICE bool all(bool predicate) const noexcept { return !any(!predicate); }

  // The value of rank `source` modulo N.
  template <class T>
  FERMATA_DEVICE T shfl(T value, unsigned source) const noexcept {
    detail::require_travelling<T>();
    if (is_wave()) return this_wave().shfl(value, source & (N - 1));
    return detail::generic::for_each_word(value, [this, source](std::uint32_t word) {
      std::uint32_t* const words = next_words();
      words[thread_rank()] = word;
      sync();
      return words[source & (N - 1)];
    });
  }
  // The value of the rank `delta` below or above; one's own beyond the end of the tile. Pre: delta < N.
  template <class T>
  FERMATA_DEVICE T shfl_up(T value, unsigned delta) const noexcept {
    unsigned const rank = thread_rank();
    return shfl(value, delta <= rank ? rank - delta : rank);
  }
  template <class T>
  FERMATA_DEVICE T shfl_down(T value, unsigned delta) const noexcept {
    unsigned const rank = thread_rank();
    return shfl(value, delta < N - rank ? rank + delta : rank);
  }
  // The value of rank thread_rank() ^ mask. Pre: mask < N.
  template <class T>
  FERMATA_DEVICE T shfl_xor(T value, unsigned mask) const noexcept {
    return shfl(value, thread_rank() ^ mask);
  }
  // The value of one rank for all. Pre: source < N, the same in every thread of the tile.
  template <class T>
  FERMATA_DEVICE T broadcast(T value, unsigned source = 0) const noexcept {
    return shfl(value, source);
  }

  // op over the values of all ranks, the same result in every thread: each wave's own, in the order of the waves.
  template <class T, class Op>
  FERMATA_DEVICE T reduce(T value, Op op) const noexcept {
    // All lanes of the wave are there, which the wave itself would have to find out.
    T const here = this_wave().subset(lane_mask::all(wave::size())).reduce(value, op);
    if (is_wave()) return here;
    return over_waves(here, waves(), op);
  }

  // As this_wave().inclusive_scan() and exclusive_scan(), within the tile.
  template <class T, class Op = plus>
  FERMATA_DEVICE T inclusive_scan(T value, Op op = {}) const noexcept {
    T const here = this_wave().inclusive_scan(value, op);
    if (is_wave()) return here;
    unsigned const wave = thread_rank() / wave::size();
    T const before = over_waves(this_wave().broadcast(here, wave::size() - 1), wave, op);
    return wave == 0 ? here : op(before, here);
  }
  template <class T, class Op>
  FERMATA_DEVICE T exclusive_scan(T value, Op op, std::type_identity_t<T> init) const noexcept {
    return detail::exclusive_scan(*this, value, op, init);
  }
  template <class T>
  FERMATA_DEVICE T exclusive_scan(T value) const noexcept {
    return detail::exclusive_sum(*this, value);
  }

  // True in exactly one thread of the tile, rank 0.
  FERMATA_DEVICE bool elect() const noexcept { return thread_rank() == 0; }

  // A set of ranks is a lane_mask, and that has the lanes of one wave.
  template <class Predicate>
  FERMATA_DEVICE lane_mask ballot(Predicate) const noexcept {
    static_assert(
        detail::always_false<Predicate>,
        "fermata::tile<N>::ballot: a tile of more than 32 threads has more ranks than a lane_mask has lanes on "
        "some targets. Use any() or all(), count with reduce(vote ? 1u : 0u, plus{}), or take this_wave()'s "
        "ballot in each wave.");
    return {};
  }
  template <class T>
  FERMATA_DEVICE lane_mask match_any(T) const noexcept {
    static_assert(
        detail::always_false<T>,
        "fermata::tile<N>::match_any: a tile of more than 32 threads has more ranks than a lane_mask has lanes on "
        "some targets. Use match_all(), or this_wave().match_any() in each wave.");
    return {};
  }
  template <class T>
  FERMATA_DEVICE bool match_all(T value) const noexcept {
    bool const same = this_wave().match_all(value);
    if (is_wave()) return same;
    T const first = broadcast(value);
    // The lanes of a wave agree, so that one of them speaks for all.
    return all(same && detail::generic::same_words(value, first));
  }

 private:
  template <unsigned M, unsigned Threads>
  FERMATA_DEVICE friend tile<M, block_group> tiled_partition(block_group, tile_scratch<M, Threads>&) noexcept;

  FERMATA_DEVICE tile(std::uint32_t* arrived, std::uint32_t* words, unsigned stride) noexcept
      : arrived_(arrived), words_(words), stride_(stride) {}

  FERMATA_DEVICE static bool is_wave() noexcept { return wave::size() >= N; }
  FERMATA_DEVICE static unsigned waves() noexcept { return N / wave::size(); }

  // The words that the next exchange writes. Its half changes with every meeting; before the caller's own wave has
  // come to the next one, the count cannot leave the span of the present one.
  FERMATA_DEVICE std::uint32_t* next_words() const noexcept {
    std::uint32_t const count = backend::atomic_load<thread_scope::block, std::memory_order_relaxed>(arrived_);
    return words_ + (count / waves() & 1) * stride_;
  }

  // op over what the first lanes of the first `count` waves bring, in the order of the waves; `mine` if count is 0.
  template <class T, class Op>
  FERMATA_DEVICE T over_waves(T mine, unsigned count, Op op) const noexcept {
    detail::require_travelling<T>();
    static_assert(sizeof(T) <= 128,
                  "fermata::tile<N>: in tiles of more than 32 threads a reduction or a scan takes "
                  "values of at most 128 bytes, the shared memory of the narrowest wave. Reduce parts.");
    unsigned const width = wave::size();
    std::uint32_t* const words = next_words();
    if (this_wave().elect()) {
      std::uint32_t* to = words + thread_rank();
      detail::generic::visit_words(mine, [&to](std::uint32_t word) { *to++ = word; });
    }
    sync();
    T result = mine;
    for (unsigned wave = 0; wave < count; ++wave) {
      T theirs = mine;
      __builtin_memcpy(&theirs, words + wave * width, sizeof(T));
      result = wave == 0 ? theirs : op(result, theirs);
    }
    return result;
  }

  std::uint32_t* arrived_;
  std::uint32_t* words_;
  unsigned stride_;
};

// Cuts the block into tiles of N threads, N = 64 … 1024, which meet in `scratch`: a variable of the block, one for all
// of its tiles. Every thread of the block calls it, and where waves are narrower than N it is two barriers of the
// block: make the tile once, outside of loops. Elsewhere it is none, so that it orders nothing to rely on. Partitioning
// again with the same scratch is allowed; the tiles made of it before are dead then. Pre: the block has at most
// `Threads` threads.
template <unsigned N, unsigned Threads>
FERMATA_DEVICE tile<N, block_group> tiled_partition(block_group block, tile_scratch<N, Threads>& scratch) noexcept {
  unsigned const rank = block.thread_rank();
  if (wave::size() < N) {
    block.sync();  // nobody waits at the counters of an earlier partition any more
    if (rank < Threads / N) scratch.arrived[rank] = 0;
    block.sync();
  }
  return tile<N, block_group>{&scratch.arrived[rank / N], &scratch.words[0][rank & ~(N - 1)], Threads};
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
