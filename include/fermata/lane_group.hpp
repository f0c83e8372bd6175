// Some lanes of a wave as a group: those that a mask names, or those that are here.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/backend/lanes.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/check.hpp>
#include <fermata/detail/ranks.hpp>
#include <fermata/detail/scan.hpp>
#include <fermata/functional.hpp>
#include <fermata/lane_mask.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Obtained from this_wave().subset(mask) and from active_lanes(). Ranks count the group's lanes from the lowest:
// rank 0 is the lowest lane of mask(), and a set of ranks has bit i for rank i.
//
// Pre     of every collective: exactly the lanes of mask() call it together, each with a group of the same mask.
//         Several groups without a lane in common may do so at once, in the same line (the groups of match_any) or
//         in different branches.
// Memory  sync() orders memory among the lanes of the group; the other collectives order nothing.
// Cost    a rank is turned into its lane by a search of 5 steps of a few instructions (6 in waves of 64); tiles and
//         the whole wave need none. Scans, and reductions that are not one instruction: 2 log2(size()) shuffles.
class lane_group {
 public:
  FERMATA_DEVICE unsigned size() const noexcept { return mask_.count(); }
  FERMATA_DEVICE unsigned thread_rank() const noexcept {
    return (mask_ & lane_mask::below(backend::lane_id())).count();
  }
  // The lanes of the group, as lanes of the wave.
  FERMATA_DEVICE lane_mask mask() const noexcept { return mask_; }

  // Makes the lanes' earlier memory accesses visible to each other.
  // Emits  CUDA: bar.warp.sync. HIP: a wavefront fence and wave_barrier (no instruction, no reordering).
  FERMATA_DEVICE void sync() const noexcept {
    detail::check_members(bits(), detail::operation::sync);
    backend::lanes_sync(bits());
  }

  FERMATA_DEVICE bool any(bool predicate) const noexcept {
    detail::check_members(bits(), detail::operation::any);
    return backend::lanes_any(bits(), predicate);
  }
  FERMATA_DEVICE bool all(bool predicate) const noexcept {
    detail::check_members(bits(), detail::operation::all);
    return backend::lanes_all(bits(), predicate);
  }

  // The ranks whose predicate holds. (this_wave() names lanes: `mask()` translates.)
  // Cost  a vote, and a few instructions for each rank that is named, unless the group is the first lanes of the wave.
  FERMATA_DEVICE lane_mask ballot(bool predicate) const noexcept {
    detail::check_members(bits(), detail::operation::ballot);
    return ranks(backend::lanes_ballot(bits(), predicate));
  }

  // The value of rank `source`. Pre: source < size().
  template <class T>
  FERMATA_DEVICE T shfl(T value, unsigned source) const noexcept {
    detail::check_members(bits(), detail::operation::shfl);
    detail::require_travelling<T>();
    return backend::lanes_shfl(bits(), value, lane_of(source));
  }

  // The value of thread_rank() - delta, thread_rank() + delta, or thread_rank() ^ mask; one's own where the group has
  // no such rank.
  template <class T>
  FERMATA_DEVICE T shfl_up(T value, unsigned delta) const noexcept {
    detail::check_members(bits(), detail::operation::shfl_up);
    detail::require_travelling<T>();
    unsigned const rank = thread_rank();
    return backend::lanes_shfl(bits(), value, lane_of(delta <= rank ? rank - delta : rank));
  }
  template <class T>
  FERMATA_DEVICE T shfl_down(T value, unsigned delta) const noexcept {
    detail::check_members(bits(), detail::operation::shfl_down);
    detail::require_travelling<T>();
    unsigned const rank = thread_rank();
    return backend::lanes_shfl(bits(), value, lane_of(delta < size() - rank ? rank + delta : rank));
  }
  template <class T>
  FERMATA_DEVICE T shfl_xor(T value, unsigned mask) const noexcept {
    detail::check_members(bits(), detail::operation::shfl_xor);
    detail::require_travelling<T>();
    unsigned const rank = thread_rank(), partner = rank ^ mask;
    return backend::lanes_shfl(bits(), value, lane_of(partner < size() ? partner : rank));
  }

  // The value of one rank for all. Pre: source < size(), the same in every caller.
  template <class T>
  FERMATA_DEVICE T broadcast(T value, unsigned source = 0) const noexcept {
    detail::check_members(bits(), detail::operation::broadcast);
    return shfl(value, source);
  }

  // The ranks whose value has the same bits as the caller's, and whether all have. Padding counts: T should have none.
  // Emits  CUDA: match.sync for each 8 bytes. HIP: a turn of a loop for each distinct value; no loop for match_all.
  template <class T>
  FERMATA_DEVICE lane_mask match_any(T value) const noexcept {
    detail::check_members(bits(), detail::operation::match_any);
    detail::require_travelling<T>();
    return ranks(backend::lanes_match_any(bits(), value));
  }
  template <class T>
  FERMATA_DEVICE bool match_all(T value) const noexcept {
    detail::check_members(bits(), detail::operation::match_all);
    detail::require_travelling<T>();
    return backend::lanes_match_all(bits(), value);
  }

  // op over the values of all ranks, the same result in every lane. op as in this_wave().reduce().
  // Emits  CUDA: redux.sync for 32-bit integers, else shuffles. HIP: shuffles.
  template <class T, class Op>
  FERMATA_DEVICE T reduce(T value, Op op) const noexcept {
    detail::check_members(bits(), detail::operation::reduce);
    detail::require_travelling<T>();
    return backend::lanes_reduce(bits(), value, op);
  }

  // op over the values of the ranks up to the caller's, in their order, and over `init` and those before it; see
  // this_wave().inclusive_scan().
  template <class T, class Op = plus>
  FERMATA_DEVICE T inclusive_scan(T value, Op op = {}) const noexcept {
    detail::check_members(bits(), detail::operation::inclusive_scan);
    detail::require_travelling<T>();
    return backend::lanes_inclusive_scan(bits(), value, op);
  }
  template <class T, class Op>
  FERMATA_DEVICE T exclusive_scan(T value, Op op, std::type_identity_t<T> init) const noexcept {
    return detail::exclusive_scan(*this, value, op, init);
  }
  template <class T>
  FERMATA_DEVICE T exclusive_scan(T value) const noexcept {
    return detail::exclusive_sum(*this, value);
  }

  // True in exactly one lane, rank 0.
  FERMATA_DEVICE bool elect() const noexcept { return mask_.first() == backend::lane_id(); }

 private:
  friend class wave_group;
  FERMATA_DEVICE friend lane_group active_lanes(detail::call_site) noexcept;

  FERMATA_DEVICE explicit lane_group(lane_mask mask) noexcept : mask_(mask) {}

  FERMATA_DEVICE backend::lane_word bits() const noexcept { return mask_.bits_; }
  FERMATA_DEVICE unsigned lane_of(unsigned rank) const noexcept { return detail::nth_lane(bits(), rank); }
  FERMATA_DEVICE lane_mask ranks(backend::lane_word some) const noexcept {
    return lane_mask(detail::to_ranks(some, bits()));
  }

  lane_mask mask_;
};

// The lanes that are here now, as a group: those that the hardware happens to run together at this point. It may be
// any part of the lanes that will come, so that a program must not need to meet a certain lane. What is meant is mostly
// this_wave(), or the subset() that a ballot taken before the branch names.
// Emits  CUDA: activemask. HIP: the lanes of EXEC. Host: the lanes that wait in this line when no other lane of the
//        wave can get here any more.
FERMATA_DEVICE inline lane_group active_lanes(detail::call_site site = detail::call_site::here()) noexcept {
  return lane_group(lane_mask(backend::active_lanes(site)));
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
