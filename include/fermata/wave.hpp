// The wave: the 32 or 64 lanes that the hardware runs together (NVIDIA's warp, AMD's wavefront).
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/check.hpp>
#include <fermata/detail/scan.hpp>
#include <fermata/functional.hpp>
#include <fermata/lane_group.hpp>
#include <fermata/lane_mask.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace wave {

// An upper bound for arrays and static_asserts: no target has wider waves.
inline constexpr unsigned max_size = 64;

// The hardware's width, also in a partial last wave. Asked, not written: 32 on NVIDIA and RDNA, 64 on CDNA, and
// chosen at run time by the host backend. Not constexpr, so that no program can depend on it by accident.
// Host code asks device::wave_size().
FERMATA_DEVICE inline unsigned size() noexcept { return backend::wave_size(); }

}  // namespace wave

// The calling wave as a group. Obtained from this_wave().
//
// Pre     of every collective: each live lane of the wave calls it together (converged). A lane that has
//         returned from the kernel is not live; a lane in the other branch of an `if` is, and is missing.
//         live(), reduce, the scans and elect also need that no lane of the wave has returned: they know which lanes
//         exist. A build with FERMATA_ENABLE_ASSERTIONS checks it, and there a lane that has returned is missing, too.
// Memory  sync() orders memory among the lanes of the wave; the other collectives order nothing.
// Order   a collective never waits for a lane that cannot come: waiting for one's own wave in a spin loop hangs
//         on AMD, and fermata offers nothing that does it.
class wave_group {
 public:
  // The hardware's width; wave::size().
  FERMATA_DEVICE unsigned size() const noexcept { return backend::wave_size(); }
  // The caller's place in the wave, 0 … size() - 1; computed by the hardware, never from the thread index.
  FERMATA_DEVICE unsigned lane() const noexcept { return backend::lane_id(); }
  FERMATA_DEVICE unsigned thread_rank() const noexcept { return backend::lane_id(); }
  // The number of lanes that exist: size(), but fewer in the last wave of a block that is no multiple of it.
  FERMATA_DEVICE unsigned live() const noexcept { return backend::live_lanes(); }

  // Makes the lanes' earlier memory accesses visible to each other.
  // Emits  CUDA: bar.warp.sync. HIP: a wavefront fence and wave_barrier (no instruction, no reordering).
  FERMATA_DEVICE void sync() const noexcept {
    detail::check_wave(detail::operation::sync);
    backend::wave_sync();
  }

  FERMATA_DEVICE bool any(bool predicate) const noexcept {
    detail::check_wave(detail::operation::any);
    return backend::wave_any(predicate);
  }
  FERMATA_DEVICE bool all(bool predicate) const noexcept {
    detail::check_wave(detail::operation::all);
    return backend::wave_all(predicate);
  }

  // The lanes whose predicate holds.
  // Emits  CUDA: vote.sync.ballot.b32. HIP: v_cmp into a scalar register.
  FERMATA_DEVICE lane_mask ballot(bool predicate) const noexcept {
    detail::check_wave(detail::operation::ballot);
    return lane_mask(backend::wave_ballot(predicate));
  }

  // The value of lane `source`, for any trivially copyable T; larger T cost one instruction per 4 bytes.
  // Pre: source is a live lane. Emits  CUDA: shfl.sync. HIP: ds_bpermute_b32.
  template <class T>
  FERMATA_DEVICE T shfl(T value, unsigned source) const noexcept {
    detail::check_wave(detail::operation::shfl);
    detail::require_travelling<T>();
    return backend::wave_shfl(value, source);
  }

  // The value of lane() - delta (shfl_up) or lane() + delta (shfl_down); one's own beyond the end of the wave,
  // and undefined where that lane exists but is not live. Pre: delta < size().
  template <class T>
  FERMATA_DEVICE T shfl_up(T value, unsigned delta) const noexcept {
    detail::check_wave(detail::operation::shfl_up);
    detail::require_travelling<T>();
    return backend::wave_shfl_up(value, delta);
  }
  template <class T>
  FERMATA_DEVICE T shfl_down(T value, unsigned delta) const noexcept {
    detail::check_wave(detail::operation::shfl_down);
    detail::require_travelling<T>();
    return backend::wave_shfl_down(value, delta);
  }

  // The value of lane() ^ mask. Pre: mask < size() and that lane is live.
  template <class T>
  FERMATA_DEVICE T shfl_xor(T value, unsigned mask) const noexcept {
    detail::check_wave(detail::operation::shfl_xor);
    detail::require_travelling<T>();
    return backend::wave_shfl_xor(value, mask);
  }

  // The value of one lane for all. Pre: source is the same live lane in every caller.
  template <class T>
  FERMATA_DEVICE T broadcast(T value, unsigned source = 0) const noexcept {
    detail::check_wave(detail::operation::broadcast);
    detail::require_travelling<T>();
    return backend::wave_broadcast(value, source);
  }

  // op over the values of all live lanes, the same result in every lane, partial waves included.
  // op: plus, minimum, maximum, bit_and, bit_or, bit_xor or any associative and commutative function.
  // Emits  CUDA: redux.sync for 32-bit integers, else a vote and log2(size) shuffles. HIP: log2(size) times op, whose
  //        operand comes from another lane (DPP), for each 4 bytes; ds_bpermute_b32 in a partial wave, but for integers
  //        and the operations of functional.hpp.
  template <class T, class Op>
  FERMATA_DEVICE T reduce(T value, Op op) const noexcept {
    detail::check_wave(detail::operation::reduce);
    detail::require_travelling<T>();
    return backend::wave_reduce(value, op);
  }

  // The lanes whose value has the same bits as the caller's. Padding counts: T should have none. Any T that shfl takes.
  // Emits  CUDA: match.any.sync for each 8 bytes. HIP: a turn of a loop of readfirstlane and v_cmp for each distinct
  //        value.
  template <class T>
  FERMATA_DEVICE lane_mask match_any(T value) const noexcept {
    detail::check_wave(detail::operation::match_any);
    detail::require_travelling<T>();
    return lane_mask(backend::wave_match_any(value));
  }

  // Whether all live lanes have a value of the same bits.
  // Emits  CUDA: match.all.sync for each 8 bytes. HIP: readfirstlane and v_cmp.
  template <class T>
  FERMATA_DEVICE bool match_all(T value) const noexcept {
    detail::check_wave(detail::operation::match_all);
    detail::require_travelling<T>();
    return backend::wave_match_all(value);
  }

  // op over the values of the lanes up to the caller's, in the order of the lanes: lane i gets
  // v0 op v1 op … op vi. op: as in reduce, but it need not be commutative. Signed sums wrap around.
  // Emits  CUDA: log2(size) shuffles; plus takes its predicate from the shuffle (two instructions a step for 32 bits,
  //        as CUB). HIP: for integers and the operations of functional.hpp as reduce; else log2(size) ds_bpermute_b32
  //        for each 4 bytes, in the order of the other backends.
  template <class T, class Op = plus>
  FERMATA_DEVICE T inclusive_scan(T value, Op op = {}) const noexcept {
    detail::check_wave(detail::operation::inclusive_scan);
    detail::require_travelling<T>();
    return backend::wave_inclusive_scan(value, op);
  }

  // op over `init` and the values of the lanes before the caller's: lane 0 gets init, lane i
  // init op (v0 op … op v(i-1)).
  template <class T, class Op>
  FERMATA_DEVICE T exclusive_scan(T value, Op op, std::type_identity_t<T> init) const noexcept {
    return detail::exclusive_scan(*this, value, op, init);
  }
  // The sum of the values of the lanes before the caller's, T{} in lane 0.
  // Emits  the inclusive scan and a subtraction for integers, else a shuffle.
  template <class T>
  FERMATA_DEVICE T exclusive_scan(T value) const noexcept {
    return detail::exclusive_sum(*this, value);
  }

  // The lanes of the mask as a group, with the same members. Pre: of its collectives, that exactly these lanes call;
  // the calling lane is one of them.
  FERMATA_DEVICE lane_group subset(lane_mask mask) const noexcept { return lane_group(mask); }

  // True in exactly one live lane, the same on every call of a converged wave.
  FERMATA_DEVICE bool elect() const noexcept { return backend::lane_id() == 0; }
};

FERMATA_DEVICE inline wave_group this_wave() noexcept { return {}; }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
