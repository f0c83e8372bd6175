// Many threads on few addresses. An increment by any means must lose nothing: the totals are right, and the old values
// that one address gave out are all different.
#pragma once

#include <algorithm>
#include <type_traits>

#include "support.hpp"

namespace test {

// Where the counters lie: one for all, neighbours in one line, or each on a line of its own.
enum class shape { same, adjacent, scattered };

FERMATA_FN inline unsigned counter_of(shape s, unsigned thread) { return s == shape::same ? 0 : mix(thread) % 61; }
FERMATA_FN inline unsigned counter_stride(shape s, unsigned element_bytes) {
  return s == shape::scattered ? 128 / element_bytes : 1;
}

// Calls f again and again, until some milliseconds have passed for all blocks together: long enough that blocks which a
// busy machine starts one after the other run at the same time for a while. Returns how often. The launch must be
// cooperative.
template <class F>
FERMATA_DEVICE unsigned hammer_for(std::uint64_t ticks, unsigned* arrived, F f) {
  // The clock starts when the last block has.
  if (fm::this_block().thread_rank() == 0) {
    fm::device_atomic_ref<unsigned> const all(*arrived);
    all.fetch_add(1, fm::memory_order_relaxed);
    while (all.load(fm::memory_order_relaxed) < fm::this_grid().num_blocks()) {
    }
  }
  fm::this_block().sync();
  std::uint64_t const start = fm::wall_clock();
  unsigned calls = 0;
  do {
    for (unsigned i = 0; i < 50; ++i) f(calls++);
  } while (fm::wall_clock() - start < ticks);
  return calls;
}

inline std::uint64_t hammer_ticks() { return static_cast<std::uint64_t>(0.015 * gpu().info().wall_clock_rate); }

// Increment::apply(ref) adds 1 and returns the old value.
template <class Increment, class T>
FERMATA_KERNEL increment_all(T* counters, T* olds, shape where, unsigned per_thread) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  fm::device_atomic_ref<T> counter(counters[counter_of(where, thread) * counter_stride(where, sizeof(T))]);
  for (unsigned i = 0; i < per_thread; ++i) olds[i * threads + thread] = Increment::apply(counter);
}

template <class Increment, class T>
void check_increments(shape where, fm::launch_config const& config, unsigned per_thread) {
  CAPTURE(static_cast<int>(where));
  unsigned const threads = config.grid.count() * config.block.count();
  auto counters = filled<T>(61 * 128);
  auto olds = filled<T>(threads * per_thread);
  run(config, increment_all<Increment, T>, counters.data(), olds.data(), where, per_thread);

  std::vector<std::vector<T>> given(61);
  std::vector<T> const old = downloaded(olds), total = downloaded(counters);
  for (unsigned thread = 0; thread < threads; ++thread)
    for (unsigned i = 0; i < per_thread; ++i) given[counter_of(where, thread)].push_back(old[i * threads + thread]);

  std::vector<T> expected_total(counters.size(), T(0));
  for (unsigned c = 0; c < given.size(); ++c) {
    std::sort(given[c].begin(), given[c].end());
    std::vector<T> each_once;
    for (unsigned i = 0; i < given[c].size(); ++i) each_once.push_back(static_cast<T>(i));
    CHECK(difference(given[c], each_once) == "");
    expected_total[c * counter_stride(where, sizeof(T))] = static_cast<T>(given[c].size());
  }
  // Also that nothing beside the counters was touched.
  CHECK(difference(total, expected_total) == "");
}

template <class Increment, class T>
FERMATA_KERNEL increment_for_a_while(T* counter, unsigned* calls, unsigned* arrived, std::uint64_t ticks) {
  fm::device_atomic_ref<T> const ref(*counter);
  calls[fm::this_grid().thread_rank()] = hammer_for(ticks, arrived, [&](unsigned) { Increment::apply(ref); });
}

// The total of very many increments of one counter.
template <class Increment, class T>
void hammer() {
  constexpr unsigned blocks = 2, threads = 32;
  auto counter = filled<T>(1);
  auto calls = filled<unsigned>(blocks * threads), arrived = filled<unsigned>(1);
  run_cooperative({blocks, threads}, increment_for_a_while<Increment, T>, counter.data(), calls.data(), arrived.data(),
                  hammer_ticks());
  T total = 0;
  for (unsigned const n : downloaded(calls)) total = static_cast<T>(total + n);
  CHECK(difference(counter, std::vector<T>{total}) == "");
}

template <class Increment, class T>
void check_increments() {
  // At most 240 increments of one counter, so that even a byte has a different old value for each.
  for (shape where : {shape::same, shape::adjacent, shape::scattered})
    check_increments<Increment, T>(where, {3, 40}, 2);
  if constexpr (sizeof(T) >= 4) check_increments<Increment, T>(shape::same, {4, 64}, 40);
  if constexpr (std::is_integral_v<T>) hammer<Increment, T>();
}

}  // namespace test
