// Every order and every scope, for tests that go through all cells of an operation's table.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "support.hpp"

namespace test {

inline constexpr unsigned order_count = 5, load_order_count = 3, store_order_count = 3, scope_count = 6;

template <class F>
FERMATA_DEVICE void for_each_order(F f) {
  f(fm::memory_order_relaxed);
  f(fm::memory_order_acquire);
  f(fm::memory_order_release);
  f(fm::memory_order_acq_rel);
  f(fm::memory_order_seq_cst);
}

template <class F>
FERMATA_DEVICE void for_each_load_order(F f) {
  f(fm::memory_order_relaxed);
  f(fm::memory_order_acquire);
  f(fm::memory_order_seq_cst);
}

template <class F>
FERMATA_DEVICE void for_each_store_order(F f) {
  f(fm::memory_order_relaxed);
  f(fm::memory_order_release);
  f(fm::memory_order_seq_cst);
}

template <class F>
FERMATA_DEVICE void for_each_scope(F f) {
  f(fm::thread_scope_thread);
  f(fm::thread_scope_wave);
  f(fm::thread_scope_block);
  f(fm::thread_scope_cluster);
  f(fm::thread_scope_device);
  f(fm::thread_scope_system);
}

// The reference whose scope is that of the tag.
template <class T, fm::thread_scope S>
FERMATA_DEVICE fm::atomic_ref<T, S> ref_to(T& object, fm::thread_scope_tag<S>) {
  return fm::atomic_ref<T, S>(object);
}

// Integers at the edges of T, and some in the middle.
template <class T>
std::vector<T> edge_integers() {
  using limits = std::numeric_limits<T>;
  return {T(0),
          T(1),
          T(2),
          T(-1),
          limits::min(),
          limits::max(),
          T(limits::min() + 1),
          T(limits::max() - 1),
          T(0x5555555555555555ull),
          T(0xAAAAAAAAAAAAAAAAull),
          T(42),
          value_of<T>(7)};
}

// All pairs of an edge value in memory and an edge operand.
template <class T>
struct operand_pairs {
  std::vector<T> memory, operand;

  explicit operand_pairs(std::vector<T> const& values) {
    for (T a : values)
      for (T b : values) {
        memory.push_back(a);
        operand.push_back(b);
      }
  }
  unsigned count() const { return static_cast<unsigned>(memory.size()); }
};

// `values` once for each of `cells` cells.
template <class T>
std::vector<T> repeated(std::vector<T> const& values, unsigned cells) {
  std::vector<T> result;
  result.reserve(values.size() * cells);
  for (unsigned c = 0; c < cells; ++c) result.insert(result.end(), values.begin(), values.end());
  return result;
}

// The result of Op in every order and scope: cell c of pair i lies at [c * pairs + i], next to other pairs, so that
// an operation that touches its neighbours shows.
template <class Op, class T>
FERMATA_KERNEL rmw_cells(T* memory, T const* operand, T* olds, unsigned pairs) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= pairs) return;
  unsigned at = i;
  T const value = operand[i];
  for_each_scope([&](auto scope) {
    for_each_order([&](auto order) {
      olds[at] = Op::apply(ref_to(memory[at], scope), value, order);
      at += pairs;
    });
  });
}

template <class T>
struct rmw_outcome {
  std::vector<T> memory, olds;
};

template <class Op, class T>
rmw_outcome<T> run_rmw_cells(operand_pairs<T> const& pairs) {
  constexpr unsigned cells = order_count * scope_count;
  fm::buffer<T> memory = uploaded(repeated(pairs.memory, cells));
  fm::buffer<T> olds = filled<T>(memory.size(), 0xCD);
  fm::buffer<T> operand = uploaded(pairs.operand);
  run({(pairs.count() + 63) / 64, 64}, rmw_cells<Op, T>, memory.data(), operand.data(), olds.data(), pairs.count());
  return {downloaded(memory), downloaded(olds)};
}

}  // namespace test
