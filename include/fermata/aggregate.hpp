// One atomic for all lanes of a wave that add to the same address.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/atomic.hpp>
#include <fermata/backend/contention.hpp>
#include <fermata/backend/lanes.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/ranks.hpp>
#include <fermata/functional.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

template <class T>
FERMATA_DEVICE constexpr void require_aggregable() noexcept {
  static_assert(
      atomic_integer<T> && (sizeof(T) == 4 || sizeof(T) == 8),
      "fermata::aggregated_fetch_add: only for integers of 4 and 8 bytes, on every backend: the old values are "
      "computed from one sum, which floats would round. Use atomic_ref::fetch_add.");
}

// The lanes that are here, and among them those with the caller's address, the caller included.
struct companions {
  backend::lane_word here, same;

  template <class T>
  FERMATA_DEVICE companions(T* address, call_site site) noexcept
      : here(backend::active_lanes(site)), same(backend::here_match_any(here, address)) {}

  FERMATA_DEVICE unsigned count() const noexcept { return backend::count_bits(same); }
  // How many of them stand before the caller.
  FERMATA_DEVICE unsigned before() const noexcept { return backend::count_bits(same & bits_below(backend::lane_id())); }
  FERMATA_DEVICE unsigned leader() const noexcept { return backend::lowest_bit(same); }
  FERMATA_DEVICE bool is_leader() const noexcept { return backend::lane_id() == leader(); }
};

// The leader adds for its companions. What they did before is released with what it did, and what it acquires is
// acquired for them. The result is good in the leader.
template <class T, thread_scope Scope, std::memory_order O>
FERMATA_DEVICE T add_for(companions const& lanes, atomic_ref<T, Scope> ref, T total,
                         memory_order_tag<O> order) noexcept {
  if constexpr (releases(O)) backend::lanes_sync(lanes.here);
  T old{};
  if (lanes.is_leader()) old = ref.fetch_add(total, order);
  if constexpr (acquires(O)) backend::lanes_sync(lanes.here);
  return old;
}

// n * value, and sum - value, around the end of the type.
template <class T>
FERMATA_DEVICE T multiple_of(T value, unsigned n) noexcept {
  using bits = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<bits>(value) * n);
}
template <class T>
FERMATA_DEVICE T without(T sum, T value) noexcept {
  using bits = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<bits>(sum) - static_cast<bits>(value));
}

}  // namespace detail

// ref.fetch_add(value, order) of every lane that is here, by one atomic for each address that they name. Each lane gets
// an old value of its own, as if the lanes with its address had added one after the other, from the lowest lane up,
// with nobody in between.
//
// T       an integer of 4 or 8 bytes; sums wrap around.
// Lanes   may come alone, in part or all together (active_lanes()); they share an atomic with whom they meet.
// Order   as of one atomic that all of them have done: a release covers what each of them did before, an acquire serves
//         all of them.
// Emits   CUDA: match.all, match.any where addresses differ; popc where all values are equal, else a scan of shuffles;
//         one atom by the leaders together; one shuffle. HIP: a turn of a loop for each distinct address, then the
//         same.
// Cost    20 to 60 instructions beside the atomic. It pays where many lanes name few addresses; where addresses mostly
//         differ, plain fetch_add is better. Compilers do the same to a plain relaxed fetch_add whose address they see
//         to be one for the whole wave.
template <class T, thread_scope Scope, std::memory_order O>
FERMATA_DEVICE T aggregated_fetch_add(atomic_ref<T, Scope> ref, std::type_identity_t<T> value,
                                      memory_order_tag<O> order,
                                      detail::call_site site = detail::call_site::here()) noexcept {
  detail::require_aggregable<T>();
  detail::companions const lanes(ref.address(), site);
  T before, total;
  if (backend::here_match_all(lanes.here, value)) {
    before = detail::multiple_of(value, lanes.before());
    total = detail::multiple_of(value, lanes.count());
  } else {
    // The last lane's sum is the total, which the leader needs.
    T const upto = lanes.count() == backend::wave_size() ? backend::wave_inclusive_scan(value, plus{})
                                                         : backend::lanes_inclusive_scan(lanes.same, value, plus{});
    total = backend::lanes_shfl(lanes.same, upto, backend::highest_bit(lanes.same));
    before = detail::without(upto, value);
  }
  T const old = detail::add_for(lanes, ref, total, order);
  return plus{}(backend::lanes_shfl(lanes.same, old, lanes.leader()), before);
}

// aggregated_fetch_add(ref, 1, order), which needs not look at the values: to count, or to take the next free place.
template <class T, thread_scope Scope, std::memory_order O>
FERMATA_DEVICE T aggregated_increment(atomic_ref<T, Scope> ref, memory_order_tag<O> order,
                                      detail::call_site site = detail::call_site::here()) noexcept {
  detail::require_aggregable<T>();
  detail::companions const lanes(ref.address(), site);
  T const old = detail::add_for(lanes, ref, static_cast<T>(lanes.count()), order);
  return plus{}(backend::lanes_shfl(lanes.same, old, lanes.leader()), static_cast<T>(lanes.before()));
}

// aggregated_fetch_add for those who do not need an old value: no scan, and the leader waits for nothing (unless the
// order acquires).
template <class T, thread_scope Scope, std::memory_order O>
FERMATA_DEVICE void aggregated_add(atomic_ref<T, Scope> ref, std::type_identity_t<T> value, memory_order_tag<O> order,
                                   detail::call_site site = detail::call_site::here()) noexcept {
  detail::require_aggregable<T>();
  detail::companions const lanes(ref.address(), site);
  T const total = backend::here_match_all(lanes.here, value) ? detail::multiple_of(value, lanes.count())
                                                             : backend::lanes_reduce(lanes.same, value, plus{});
  (void)detail::add_for(lanes, ref, total, order);
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
