// Atomics on 16-bit floats: sums where the backend has them, minimum and maximum by fermata's rule for NaN and signed
// zeros, and everything that moves bits.
#include <fermata/half.hpp>

#include <cmath>
#include <limits>

#include "atomic_cells.hpp"

namespace {

using fm::bfloat16, fm::half;

// The value of 16 bits of which `exponent_bits` are the exponent.
double value_of_bits(std::uint16_t bits, int exponent_bits) {
  int const fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  int const exponent = (bits & 0x7FFF) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
  double magnitude;
  if (exponent == (1 << exponent_bits) - 1)
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <class T>
constexpr int exponent_bits = std::is_same_v<T, half> ? 5 : 8;

// The representable number that is nearest to the sum, the even one of two: by looking at all of them.
std::uint16_t nearest(double sum, int exponent) {
  std::uint16_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  std::uint16_t const infinity = static_cast<std::uint16_t>(((1 << exponent) - 1) << (15 - exponent));
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7FFF) >= infinity) continue;
    double const d = std::fabs(value_of_bits(static_cast<std::uint16_t>(bits), exponent) - sum);
    if (d < distance || (d == distance && bits % 2 == 0)) {
      distance = d;
      best = static_cast<std::uint16_t>(bits);
    }
  }
  return best;
}

enum class operation : unsigned { add, sub, min, max, exchange };

template <class T, class Ref, class O>
FERMATA_DEVICE T apply(operation what, Ref ref, T v, O order) {
  constexpr bool sums = fm::detail::way_of<T>(fm::atomic_op::fetch_add, Ref::scope).kind !=
                        fm::detail::support::refused;
  if constexpr (sums) {
    if (what == operation::add) return ref.fetch_add(v, order);
    if (what == operation::sub) return ref.fetch_sub(v, order);
  }
  if (what == operation::min) return ref.fetch_min(v, order);
  if (what == operation::max) return ref.fetch_max(v, order);
  return ref.exchange(v, order);
}

template <class T>
FERMATA_KERNEL half_cells(operation what, std::uint16_t* words, std::uint16_t const* operand, std::uint16_t* olds,
                          unsigned pairs) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= pairs) return;
  unsigned at = i;
  T* const memory = reinterpret_cast<T*>(words);
  T const value = test::same_bits<T>(operand[i]);
  test::one_of_each::visit([&](auto scope, auto order) {
    olds[at] = test::same_bits<std::uint16_t>(apply<T>(what, test::ref_to(memory[at], scope), value, order));
    at += pairs;
  });
}

// Zeros, ones, numbers of very different size, subnormals, the largest, infinities, and NaNs of both kinds.
template <class T>
std::vector<std::uint16_t> interesting() {
  std::uint16_t const infinity = fm::detail::half_operations<T>::infinity;
  std::vector<std::uint16_t> values;
  for (unsigned v : {0u, 1u, 3u, infinity - 1u, unsigned(infinity), infinity + 1u, infinity / 2u, infinity / 2u + 1u,
                     infinity / 3u, 0x3C00u, 0x4248u, 0x3F80u, infinity | 0x7Fu | (infinity >> 1 & 0x7F)}) {
    values.push_back(static_cast<std::uint16_t>(v));
    values.push_back(static_cast<std::uint16_t>(v | 0x8000u));
  }
  return values;
}

template <class T>
void check(operation what) {
  CAPTURE(static_cast<int>(what));
  int const exponent = exponent_bits<T>;
  test::operand_pairs<std::uint16_t> const pairs(interesting<T>());
  constexpr unsigned cells = test::one_of_each::count;
  auto memory = test::uploaded(test::repeated(pairs.memory, cells));
  auto olds = test::filled<std::uint16_t>(memory.size(), 0xCD);
  auto operand = test::uploaded(pairs.operand);
  test::run({(pairs.count() + 63) / 64, 64}, half_cells<T>, what, memory.data(), operand.data(), olds.data(),
            pairs.count());
  CHECK(test::difference(olds, test::repeated(pairs.memory, cells)) == "");

  std::vector<std::uint16_t> got = test::downloaded(memory), want;
  for (unsigned i = 0; i < pairs.count(); ++i) {
    std::uint16_t const m = pairs.memory[i], v = pairs.operand[i];
    double const a = value_of_bits(m, exponent), b = value_of_bits(v, exponent);
    bool const less = b < a || (b == a && std::signbit(b) && !std::signbit(a));
    bool const more = b > a || (b == a && !std::signbit(b) && std::signbit(a));
    if (what == operation::exchange) {
      want.push_back(v);
    } else if (what == operation::min || what == operation::max) {
      bool const takes = std::isnan(b) ? false : std::isnan(a) || (what == operation::min ? less : more);
      want.push_back(takes ? v : m);
    } else {
      double const sum = what == operation::add ? a + b : a - b;
      std::uint16_t bits = 0;
      if (std::isfinite(sum) && sum != 0) bits = nearest(sum, exponent);
      // Which NaN, and what lies beyond the largest number, is compared by value below.
      want.push_back(std::isfinite(sum) && std::fabs(sum) <= value_of_bits(
                         static_cast<std::uint16_t>(fm::detail::half_operations<T>::infinity - 1), exponent)
                         ? (sum == 0 && std::signbit(sum) ? std::uint16_t{0x8000} : bits)
                         : std::uint16_t{0xFFFF});
    }
  }
  for (unsigned at = 0; at < got.size(); ++at) {
    unsigned const i = at % pairs.count();
    if (want[i] == 0xFFFF) {
      double const a = value_of_bits(pairs.memory[i], exponent), b = value_of_bits(pairs.operand[i], exponent);
      double const sum = what == operation::add ? a + b : a - b, here = value_of_bits(got[at], exponent);
      bool const same =
          std::isnan(sum) ? std::isnan(here) : std::signbit(sum) == std::signbit(here) && std::fabs(here) >= 3e4;
      if (same) got[at] = 0xFFFF;
    }
  }
  CHECK(test::difference(got, test::repeated(want, cells)) == "");
}

template <class T>
bool has_sums() {
  return fm::detail::way_of<T>(fm::atomic_op::fetch_add, fm::thread_scope::device).kind !=
         fm::detail::support::refused;
}

// Every thread changes one element, and its neighbour in the word the other.
template <class T>
FERMATA_KERNEL exchange_with_neighbours(std::uint16_t* words, std::uint16_t* seen) {
  unsigned const i = fm::this_block().thread_rank();
  fm::atomic_ref<T, fm::thread_scope_device> const ref(reinterpret_cast<T*>(words)[i]);
  T expected = test::same_bits<T>(static_cast<std::uint16_t>(i));
  bool const done = ref.compare_exchange_strong(expected, test::same_bits<T>(static_cast<std::uint16_t>(i + 1000)),
                                                fm::memory_order_acq_rel);
  ref.wait(test::same_bits<T>(static_cast<std::uint16_t>(i)), fm::memory_order_acquire);
  seen[i] = done ? test::same_bits<std::uint16_t>(ref.load(fm::memory_order_relaxed)) : std::uint16_t{0};
}

}  // namespace

TEST_SUITE("atomic_half") {
  TEST_CASE_TEMPLATE("fetch_min, fetch_max and exchange of 16-bit floats", T, half, bfloat16) {
    for (operation what : {operation::min, operation::max, operation::exchange}) check<T>(what);
  }
  TEST_CASE_TEMPLATE("fetch_add and fetch_sub of 16-bit floats", T, half, bfloat16) {
    if (!has_sums<T>()) return;  // the refusal is a compile_fail test
    for (operation what : {operation::add, operation::sub}) check<T>(what);
  }
  TEST_CASE_TEMPLATE("compare_exchange of 16-bit floats leaves the neighbours alone", T, half, bfloat16) {
    constexpr unsigned threads = 128;
    std::vector<std::uint16_t> start, want;
    for (unsigned i = 0; i < threads; ++i) {
      start.push_back(static_cast<std::uint16_t>(i));
      want.push_back(static_cast<std::uint16_t>(i + 1000));
    }
    auto words = test::uploaded(start), seen = test::filled<std::uint16_t>(threads);
    test::run({1, threads}, exchange_with_neighbours<T>, words.data(), seen.data());
    CHECK(test::difference(words, want) == "");
    CHECK(test::difference(seen, want) == "");
  }
}
