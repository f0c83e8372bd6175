// Functions over any group of threads.
//
//   template <fm::collective_group Group>
//   FERMATA_DEVICE float norm(Group const& group, float x) { return sqrtf(group.reduce(x * x, fm::plus{})); }
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <concepts>
#include <type_traits>

#include <fermata/functional.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Threads that know their number and their place, and can wait for each other: this_wave(), tiles, lane groups,
// this_block(), this_grid(); all of them are copied like integers. size() of this_wave() is the width of the hardware,
// which a partial wave does not fill (live()).
template <class Group>
concept group = std::is_trivially_copyable_v<Group> && requires(Group const& g) {
  { g.size() } -> std::unsigned_integral;
  { g.thread_rank() } -> std::unsigned_integral;
  { g.sync() } -> std::same_as<void>;
};

// A group that also exchanges values: this_wave(), tiles of every size, lane groups.
template <class Group>
concept collective_group = group<Group> && requires(Group const& g, unsigned value, unsigned rank, bool predicate) {
  { g.any(predicate) } -> std::same_as<bool>;
  { g.all(predicate) } -> std::same_as<bool>;
  { g.match_all(value) } -> std::same_as<bool>;
  { g.elect() } -> std::same_as<bool>;
  { g.shfl(value, rank) } -> std::same_as<unsigned>;
  { g.shfl_up(value, rank) } -> std::same_as<unsigned>;
  { g.shfl_down(value, rank) } -> std::same_as<unsigned>;
  { g.shfl_xor(value, rank) } -> std::same_as<unsigned>;
  { g.broadcast(value, rank) } -> std::same_as<unsigned>;
  { g.reduce(value, plus{}) } -> std::same_as<unsigned>;
  { g.inclusive_scan(value, plus{}) } -> std::same_as<unsigned>;
  { g.exclusive_scan(value, plus{}, value) } -> std::same_as<unsigned>;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
