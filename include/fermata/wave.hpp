// The wave: the 32 or 64 lanes that the hardware runs together (NVIDIA's warp, AMD's wavefront).
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/backend/wave.hpp>
#include <fermata/functional.hpp>
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
//         live(), reduce and elect also need that no lane of the wave has returned: they know which lanes exist.
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
  FERMATA_DEVICE void sync() const noexcept { backend::wave_sync(); }

  FERMATA_DEVICE bool any(bool predicate) const noexcept { return backend::wave_any(predicate); }
  FERMATA_DEVICE bool all(bool predicate) const noexcept { return backend::wave_all(predicate); }

  // The lanes whose predicate holds.
  // Emits  CUDA: vote.sync.ballot.b32. HIP: v_cmp into a scalar register.
  FERMATA_DEVICE lane_mask ballot(bool predicate) const noexcept { return lane_mask(backend::wave_ballot(predicate)); }

  // The value of lane `source`, for any trivially copyable T; larger T cost one instruction per 4 bytes.
  // Pre: source is a live lane. Emits  CUDA: shfl.sync. HIP: ds_bpermute_b32.
  template <class T>
  FERMATA_DEVICE T shfl(T value, unsigned source) const noexcept {
    require_copyable<T>();
    return backend::wave_shfl(value, source);
  }

  // The value of lane() - delta (shfl_up) or lane() + delta (shfl_down); one's own beyond the end of the wave,
  // and undefined where that lane exists but is not live. Pre: delta < size().
  template <class T>
  FERMATA_DEVICE T shfl_up(T value, unsigned delta) const noexcept {
    require_copyable<T>();
    return backend::wave_shfl_up(value, delta);
  }
  template <class T>
  FERMATA_DEVICE T shfl_down(T value, unsigned delta) const noexcept {
    require_copyable<T>();
    return backend::wave_shfl_down(value, delta);
  }

  // The value of lane() ^ mask. Pre: mask < size() and that lane is live.
  template <class T>
  FERMATA_DEVICE T shfl_xor(T value, unsigned mask) const noexcept {
    require_copyable<T>();
    return backend::wave_shfl_xor(value, mask);
  }

  // The value of one lane for all. Pre: source is the same live lane in every caller.
  template <class T>
  FERMATA_DEVICE T broadcast(T value, unsigned source = 0) const noexcept {
    require_copyable<T>();
    return backend::wave_broadcast(value, source);
  }

  // op over the values of all live lanes, the same result in every lane, partial waves included.
  // op: plus, minimum, maximum, bit_and, bit_or, bit_xor or any associative and commutative function.
  // Emits  CUDA: redux.sync for 32-bit integers, else log2(size) shuffles. HIP and host: shuffles.
  template <class T, class Op>
  FERMATA_DEVICE T reduce(T value, Op op) const noexcept {
    require_copyable<T>();
    return backend::wave_reduce(value, op);
  }

  // True in exactly one live lane, the same on every call of a converged wave.
  FERMATA_DEVICE bool elect() const noexcept { return backend::lane_id() == 0; }

 private:
  template <class T>
  FERMATA_DEVICE static constexpr void require_copyable() {
    static_assert(std::is_trivially_copyable_v<T>, "fermata::wave: a value that travels between lanes must be "
                                                   "trivially copyable on every backend. Send its members.");
  }
};

FERMATA_DEVICE inline wave_group this_wave() noexcept { return {}; }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
