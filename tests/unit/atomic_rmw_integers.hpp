// The integer read-modify-write operations of one type against a sequential oracle. One translation unit for each
// width includes it, so that they compile beside each other.
#pragma once

#include "atomic_cells.hpp"

namespace test {

// Each operation: how fermata spells it, and what memory holds afterwards.
struct exchange_op {
  static constexpr char const* name = "exchange";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.exchange(v, order);
  }
  template <class T>
  static T expected(T, T v) {
    return v;
  }
};
struct add_op {
  static constexpr char const* name = "fetch_add";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_add(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(v));
  }
};
struct sub_op {
  static constexpr char const* name = "fetch_sub";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_sub(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return static_cast<T>(static_cast<std::uint64_t>(old) - static_cast<std::uint64_t>(v));
  }
};
struct and_op {
  static constexpr char const* name = "fetch_and";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_and(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return static_cast<T>(old & v);
  }
};
struct or_op {
  static constexpr char const* name = "fetch_or";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_or(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return static_cast<T>(old | v);
  }
};
struct xor_op {
  static constexpr char const* name = "fetch_xor";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_xor(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return static_cast<T>(old ^ v);
  }
};
struct min_op {
  static constexpr char const* name = "fetch_min";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_min(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return v < old ? v : old;
  }
};
struct max_op {
  static constexpr char const* name = "fetch_max";
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_max(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return v > old ? v : old;
  }
};

template <class T>
void check_integer_cells(char const* name, rmw_kernel<T> kernel, unsigned cells, T (*expected)(T, T)) {
  INFO(name, " of ", sizeof(T), " bytes, ", std::is_signed_v<T> ? "signed" : "unsigned");
  operand_pairs<T> const pairs(edge_integers<T>());
  std::vector<T> after;
  for (unsigned i = 0; i < pairs.count(); ++i) after.push_back(expected(pairs.memory[i], pairs.operand[i]));
  rmw_outcome<T> const got = run_rmw_cells(kernel, cells, pairs);
  CHECK(difference(got.olds, repeated(pairs.memory, cells)) == "");
  CHECK(difference(got.memory, repeated(after, cells)) == "");
}

template <class Op, class Cells, class T>
void check_integer_op() {
  check_integer_cells<T>(Op::name, rmw_cells<Op, Cells, T>, Cells::count, Op::template expected<T>);
}

// Minimum and maximum are other instructions with a sign; the others are the same, and fetch_sub is a fetch_add.
template <class T>
void check_all_integer_ops() {
  using once = std::conditional_t<std::is_signed_v<T>, one_of_each, every_cell>;
  check_integer_op<exchange_op, once, T>();
  check_integer_op<add_op, once, T>();
  check_integer_op<sub_op, one_of_each, T>();
  check_integer_op<and_op, once, T>();
  check_integer_op<or_op, once, T>();
  check_integer_op<xor_op, once, T>();
  check_integer_op<min_op, every_cell, T>();
  check_integer_op<max_op, every_cell, T>();
}

}  // namespace test
