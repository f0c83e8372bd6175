// Read-modify-write of float and double: sums by the rules of IEEE 754; minimum and maximum with the project's own rule
// for NaN and signed zeros, the same on every device.
#include <cmath>

#include "atomic_cells.hpp"

namespace {

template <class T>
using bits_t = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
bool same(T a, T b) {
  return test::same_bits<bits_t<T>>(a) == test::same_bits<bits_t<T>>(b);
}

template <class T>
T from_bits(bits_t<T> bits) {
  return test::same_bits<T>(bits);
}

template <class T>
T signalling_nan() {
  if constexpr (sizeof(T) == 4)
    return from_bits<T>(0x7FA00001u);
  else
    return from_bits<T>(0x7FF4000000000001ull);
}

template <class T>
T with_payload(T nan) {
  return from_bits<T>(test::same_bits<bits_t<T>>(nan) | 0x5A5A);
}

// Values that sums of any device treat alike. Subnormal numbers are not among them: some hardware flushes them in
// atomic sums, which no order or scope can change.
template <class T>
std::vector<T> summands() {
  using limits = std::numeric_limits<T>;
  return {T(0),
          -T(0),
          T(1),
          T(-1),
          T(0.1),
          T(-3.75),
          T(1e20),
          T(16777216),
          limits::max(),
          limits::lowest(),
          limits::infinity(),
          -limits::infinity(),
          limits::quiet_NaN()};
}

// The same with subnormals and every kind of NaN: minimum and maximum go by bits and treat them exactly.
template <class T>
std::vector<T> comparands() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = summands<T>();
  values.insert(values.end(), {limits::denorm_min(), -limits::denorm_min(), limits::min(), -limits::min(),
                               -limits::quiet_NaN(), signalling_nan<T>(), -signalling_nan<T>(),
                               with_payload(limits::quiet_NaN()), with_payload(signalling_nan<T>())});
  return values;
}

struct add_op {
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_add(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return old + v;
  }
};
struct sub_op {
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_sub(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    return old - v;
  }
};
struct exchange_op {
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.exchange(v, order);
  }
  template <class T>
  static T expected(T, T v) {
    return v;
  }
};
struct min_op {
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_min(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    if (std::isnan(v)) return old;
    if (std::isnan(old)) return v;
    if (v == 0 && old == 0) return std::signbit(v) ? v : old;
    return v < old ? v : old;
  }
};
struct max_op {
  template <class Ref, class T, class O>
  FERMATA_DEVICE static T apply(Ref ref, T v, O order) {
    return ref.fetch_max(v, order);
  }
  template <class T>
  static T expected(T old, T v) {
    if (std::isnan(v)) return old;
    if (std::isnan(old)) return v;
    if (v == 0 && old == 0) return std::signbit(v) ? old : v;
    return v > old ? v : old;
  }
};

template <class T>
void check_cells(std::vector<T> const& values, test::rmw_kernel<T> kernel, unsigned cells, T (*expected)(T, T)) {
  test::operand_pairs<T> const pairs(values);
  test::rmw_outcome<T> const got = test::run_rmw_cells(kernel, cells, pairs);
  CHECK(test::difference(got.olds, test::repeated(pairs.memory, cells)) == "");
  unsigned wrong = 0;
  for (unsigned at = 0; at < got.memory.size(); ++at) {
    unsigned const pair = at % pairs.count();
    T const want = expected(pairs.memory[pair], pairs.operand[pair]);
    // Which NaN a sum gives is the hardware's choice; that it is one is not.
    if (std::isnan(want) ? std::isnan(got.memory[at]) : same(want, got.memory[at])) continue;
    if (++wrong == 1)
      MESSAGE("memory ", test::hex(pairs.memory[pair]), ", operand ", test::hex(pairs.operand[pair]), ": got ",
              test::hex(got.memory[at]), ", expected ", test::hex(want));
  }
  CHECK(wrong == 0);
}

template <class Op, class Cells, class T>
void check_op(std::vector<T> const& values) {
  check_cells<T>(values, test::rmw_cells<Op, Cells, T>, Cells::count, Op::template expected<T>);
}

// Sums and differences with the promise about the memory, in two places, by every thread. The summands are small powers
// of two, so that each sum is exact and any order of the threads gives the same one.
template <class T>
FERMATA_KERNEL sum_coarse_grained(T* sums, unsigned* wrong) {
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank());
  fm::device_atomic_ref<T> const up(sums[0]), down(sums[1]);
  T const value = T(1u << rank % 4);
  T const before = up.fetch_add(value, fm::memory_order_relaxed, fm::coarse_grained);
  down.fetch_sub(value, fm::memory_order_acq_rel, fm::coarse_grained);
  wrong[rank] = !(before >= T(0) && before <= T(15 * (fm::this_grid().size() / 4) - value));
}

}  // namespace

// Minimum and maximum are loops around the compare-exchange of the bits, which atomic_cas goes through.
TEST_SUITE("atomic_rmw") {
  TEST_CASE_TEMPLATE("floating-point fetch_add", T, float, double) {
    check_op<add_op, test::every_cell>(summands<T>());
  }
  TEST_CASE_TEMPLATE("floating-point fetch_sub", T, float, double) {
    check_op<sub_op, test::one_of_each>(summands<T>());
  }
  TEST_CASE_TEMPLATE("floating-point sums in coarse-grained memory", T, float, double) {
    constexpr unsigned blocks = 5, threads = 100;
    auto sums = test::filled<T>(2);
    auto wrong = test::filled<unsigned>(blocks * threads, 0xFF);
    test::run({blocks, threads}, sum_coarse_grained<T>, sums.data(), wrong.data());
    T const sum = T(15 * (blocks * threads / 4));
    CHECK(test::difference(sums, std::vector<T>{sum, -sum}) == "");
    CHECK(test::difference(wrong, std::vector<unsigned>(blocks * threads, 0u)) == "");
  }
  TEST_CASE_TEMPLATE("floating-point exchange moves all bits", T, float, double) {
    check_op<exchange_op, test::one_of_each>(comparands<T>());
  }
  TEST_CASE("float fetch_min: NaN ignored, -0 below +0") { check_op<min_op, test::every_cell>(comparands<float>()); }
  TEST_CASE("float fetch_max: NaN ignored, -0 below +0") { check_op<max_op, test::one_of_each>(comparands<float>()); }
  TEST_CASE("double fetch_min: NaN ignored, -0 below +0") { check_op<min_op, test::one_of_each>(comparands<double>()); }
  TEST_CASE("double fetch_max: NaN ignored, -0 below +0") { check_op<max_op, test::every_cell>(comparands<double>()); }
}
