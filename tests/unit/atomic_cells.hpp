// Every order and every scope, for tests that go through the cells of an operation's table.
//
// A cell costs the device compilers some 10 ms, so none of them is compiled twice. An operation of the backend goes
// through every cell for one type of its width. What the public header puts around it for another type, or another
// operation, depends neither on the order nor on the scope: there each order and each scope comes once.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "support.hpp"

namespace test {

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
FERMATA_DEVICE void for_each_scope(F f) {
  f(fm::thread_scope_thread);
  f(fm::thread_scope_wave);
  f(fm::thread_scope_block);
  f(fm::thread_scope_cluster);
  f(fm::thread_scope_device);
  f(fm::thread_scope_system);
}

// Every scope with every order.
struct every_cell {
  static constexpr unsigned count = 30;
  template <class F>
  FERMATA_DEVICE static void visit(F f) {
    for_each_scope([&](auto scope) { for_each_order([&](auto order) { f(scope, order); }); });
  }
};

// Every scope, and every order.
struct one_of_each {
  static constexpr unsigned count = 6;
  template <class F>
  FERMATA_DEVICE static void visit(F f) {
    f(fm::thread_scope_thread, fm::memory_order_acquire);
    f(fm::thread_scope_wave, fm::memory_order_release);
    f(fm::thread_scope_block, fm::memory_order_acq_rel);
    f(fm::thread_scope_cluster, fm::memory_order_seq_cst);
    f(fm::thread_scope_device, fm::memory_order_relaxed);
    f(fm::thread_scope_system, fm::memory_order_acq_rel);
  }
};

// The reference whose scope is that of the tag.
template <class T, fm::thread_scope S>
FERMATA_DEVICE fm::atomic_ref<T, S> ref_to(T& object, fm::thread_scope_tag<S>) {
  return fm::atomic_ref<T, S>(object);
}

// The unsigned integer of T's size, and values as such.
template <class T>
using word_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class Values>
auto words_of(Values const& values) {
  std::vector<word_of<std::decay_t<decltype(*values.begin())>>> words;
  for (auto const& v : values) words.push_back(same_bits<typename decltype(words)::value_type>(v));
  return words;
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

// The result of Op in the cells: that of cell c for pair i lies at [c * pairs + i], next to other pairs, so that an
// operation that touches its neighbours shows.
template <class Op, class Cells, class T>
FERMATA_KERNEL rmw_cells(T* memory, T const* operand, T* olds, unsigned pairs) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= pairs) return;
  unsigned at = i;
  T const value = operand[i];
  Cells::visit([&](auto scope, auto order) {
    olds[at] = Op::apply(ref_to(memory[at], scope), value, order);
    at += pairs;
  });
}

template <class T>
struct rmw_outcome {
  std::vector<T> memory, olds;
};

// The host's half is compiled once for each type, and not for each operation: a kernel is a value.
template <class T>
using rmw_kernel = void (*)(T*, T const*, T*, unsigned);

template <class T>
rmw_outcome<T> run_rmw_cells(rmw_kernel<T> kernel, unsigned cells, operand_pairs<T> const& pairs) {
  fm::buffer<T> memory = uploaded(repeated(pairs.memory, cells));
  fm::buffer<T> olds = filled<T>(memory.size(), 0xCD);
  fm::buffer<T> operand = uploaded(pairs.operand);
  run({(pairs.count() + 63) / 64, 64}, kernel, memory.data(), operand.data(), olds.data(), pairs.count());
  return {downloaded(memory), downloaded(olds)};
}

}  // namespace test
