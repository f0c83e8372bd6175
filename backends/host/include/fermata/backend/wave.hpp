// Wave operations on the host: each is one rendezvous of the wave's lanes. A lane leaves its operand, and the last
// to come computes what everybody gets.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <memory>
#include <utility>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

using lane_word = std::uint64_t;

constexpr unsigned count_bits(lane_word w) noexcept { return static_cast<unsigned>(std::popcount(w)); }
constexpr unsigned lowest_bit(lane_word w) noexcept { return static_cast<unsigned>(std::countr_zero(w)); }
constexpr unsigned highest_bit(lane_word w) noexcept { return 63u - static_cast<unsigned>(std::countl_zero(w)); }

unsigned wave_size() noexcept;
unsigned lane_id() noexcept;
unsigned live_lanes() noexcept;

void wave_sync() noexcept;
bool wave_any(bool predicate) noexcept;
bool wave_all(bool predicate) noexcept;
lane_word wave_ballot(bool predicate) noexcept;

namespace host {

// The members of an operation of the wave: all lanes that have not returned, whoever they are.
inline constexpr lane_word whole_wave = ~lane_word{0};

enum class shuffle : unsigned char { from, up, down, exclusive_or, broadcast };

// Copies `bytes` bytes from the value of the lane that `how` and `argument` select to *result, which the caller has
// set to its own value: that is what a lane gets whose source does not exist or has returned from the kernel.
// `members` are the lanes that take part in this and the next two.
void wave_shuffle(shuffle how, void const* value, void* result, std::size_t bytes, unsigned argument,
                  lane_word members = whole_wave) noexcept;

// The lanes whose value has the same bytes; for `all` whether these are all of them.
lane_word wave_match(bool all, void const* value, std::size_t bytes, lane_word members = whole_wave) noexcept;

// What the last lane to come calls for a reduction, with the operands of the `count` lanes that take part, in lane
// order: two buffers and the operation of each. The results are left in `results`.
using fold_function = void (*)(unsigned count, bool full_wave, void* const* values, void* const* results,
                               void const* const* operations);
void wave_fold(fold_function fold, void* value, void* result, std::size_t bytes, void const* operation,
               lane_word members = whole_wave) noexcept;

// The tree of detail::generic::wave_reduce, for all lanes at once and in place: the same operands meet in the same
// order as on a GPU, so that floats give the same sum for the same width.
template <class T, class Op>
void fold(unsigned count, bool full_wave, void* const* values, void* const* results, void const* const* operations) {
  void* const* from = values;
  void* const* to = results;
  auto at = [](void* const* buffers, unsigned lane) -> T& { return *static_cast<T*>(buffers[lane]); };
  for (unsigned step = 1; step < count; step *= 2) {
    for (unsigned lane = 0; lane < count; ++lane) {
      unsigned const partner = lane ^ step;
      Op const& op = *static_cast<Op const*>(operations[lane]);
      if (partner < count)
        std::construct_at(&at(to, lane), op(at(from, lane), at(from, partner)));
      else
        std::construct_at(&at(to, lane), at(from, lane));
    }
    std::swap(from, to);
  }
  // In a partial wave only the first lane has met every other.
  for (unsigned lane = count; lane-- > 0;) {
    T const& result = at(from, full_wave ? lane : 0);
    if (&result != &at(results, lane)) std::construct_at(&at(results, lane), result);
  }
}

// The scan of detail::generic::inclusive_scan, step by step for all lanes: downwards, so that in place each of them
// meets what the lower one had before the step.
template <class T, class Op>
void scan(unsigned count, bool, void* const* values, void* const* results, void const* const* operations) {
  auto at = [](void* const* buffers, unsigned lane) -> T& { return *static_cast<T*>(buffers[lane]); };
  for (unsigned step = 1; step < count; step *= 2)
    for (unsigned lane = count; lane-- > step;)
      std::construct_at(&at(values, lane),
                        (*static_cast<Op const*>(operations[lane]))(at(values, lane - step), at(values, lane)));
  for (unsigned lane = 0; lane < count; ++lane) std::construct_at(&at(results, lane), at(values, lane));
}

}  // namespace host

template <class T>
T wave_shfl(T value, unsigned source) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::from, std::addressof(value), std::addressof(result), sizeof(T), source);
  return result;
}

template <class T>
T wave_shfl_up(T value, unsigned delta) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::up, std::addressof(value), std::addressof(result), sizeof(T), delta);
  return result;
}

template <class T>
T wave_shfl_down(T value, unsigned delta) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::down, std::addressof(value), std::addressof(result), sizeof(T), delta);
  return result;
}

template <class T>
T wave_shfl_xor(T value, unsigned mask) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::exclusive_or, std::addressof(value), std::addressof(result), sizeof(T), mask);
  return result;
}

template <class T>
T wave_broadcast(T value, unsigned source) noexcept {
  T result = value;
  host::wave_shuffle(host::shuffle::broadcast, std::addressof(value), std::addressof(result), sizeof(T), source);
  return result;
}

template <class T, class Op>
T wave_reduce(T value, Op op) noexcept {
  T result = value;
  host::wave_fold(host::fold<T, Op>, std::addressof(value), std::addressof(result), sizeof(T), std::addressof(op));
  return result;
}

template <class T, class Op>
T wave_inclusive_scan(T value, Op op) noexcept {
  T result = value;
  host::wave_fold(host::scan<T, Op>, std::addressof(value), std::addressof(result), sizeof(T), std::addressof(op));
  return result;
}

template <class T>
lane_word wave_match_any(T value) noexcept {
  return host::wave_match(false, std::addressof(value), sizeof(T));
}

template <class T>
bool wave_match_all(T value) noexcept {
  return host::wave_match(true, std::addressof(value), sizeof(T)) != 0;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
