// Compare-exchange of types of four and eight bytes, and loops around it.
#include "atomic_cas.hpp"

#include "contention.hpp"

namespace {

// What a failed exchange is ordered by where one order is given: as in the C++ standard.
static_assert(fm::detail::failure_order(std::memory_order_relaxed) == std::memory_order_relaxed);
static_assert(fm::detail::failure_order(std::memory_order_acquire) == std::memory_order_acquire);
static_assert(fm::detail::failure_order(std::memory_order_release) == std::memory_order_relaxed);
static_assert(fm::detail::failure_order(std::memory_order_acq_rel) == std::memory_order_acquire);
static_assert(fm::detail::failure_order(std::memory_order_seq_cst) == std::memory_order_seq_cst);

struct alignas(8) particle {
  std::uint32_t id;
  std::int16_t x, y;
};

// Adds one by a loop as users write it.
template <bool TwoOrders>
struct by_cas_loop {
  template <class T>
  FERMATA_DEVICE static T apply(fm::device_atomic_ref<T> counter) {
    T seen = counter.load(fm::memory_order_relaxed);
    if constexpr (TwoOrders) {
      while (!counter.compare_exchange_weak(seen, static_cast<T>(seen + 1), fm::memory_order_acq_rel,
                                            fm::memory_order_relaxed)) {
      }
    } else {
      while (!counter.compare_exchange_strong(seen, static_cast<T>(seen + 1), fm::memory_order_seq_cst)) {
      }
    }
    return seen;
  }
};

// Multiplies a value that is a NaN, or becomes one: a loop that compared values would never end.
template <class T>
FERMATA_KERNEL double_by_cas(T* value, unsigned* attempts) {
  fm::device_atomic_ref<T> ref(*value);
  T seen = ref.load(fm::memory_order_relaxed);
  unsigned count = 1;
  while (count < 1000 && !ref.compare_exchange_strong(seen, seen * T(2), fm::memory_order_relaxed)) ++count;
  *attempts = count;
}

// A lock-free list: every thread pushes one node; the head is an index, so that 4 and 8 bytes both do.
template <class Index>
FERMATA_KERNEL push_nodes(Index* head, Index* next) {
  Index const node = static_cast<Index>(fm::this_grid().thread_rank() + 1);
  fm::device_atomic_ref<Index> top(*head);
  Index seen = top.load(fm::memory_order_relaxed);
  do {
    next[node] = seen;
  } while (!top.compare_exchange_weak(seen, node, fm::memory_order_release, fm::memory_order_relaxed));
}

}  // namespace

TEST_SUITE("atomic_cas") {
  TEST_CASE("compare_exchange of 4-byte types") {
    test::check_cas<test::every_form, std::int32_t>({0, 1, -1, std::numeric_limits<std::int32_t>::min()});
  }
  TEST_CASE("compare_exchange of 8-byte types") {
    test::check_cas<test::every_form, std::uint64_t>({0, 1, 0x100000000ull, ~0ull});
    test::check_cas<test::one_of_each_form, particle>({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, -1, 1}});
  }
  TEST_CASE("compare_exchange compares bits: -0 is not +0, and a NaN equals itself alone") {
    using test::same_bits;
    test::check_cas<test::one_of_each_form, float>({0.0f, -0.0f, 1.0f, same_bits<float>(0x7FC00000u),
                                                    same_bits<float>(0x7FC00001u), same_bits<float>(0xFFC00000u),
                                                    same_bits<float>(0x7FA00001u)});
    test::check_cas<test::one_of_each_form, double>({0.0, -0.0, 1.0, same_bits<double>(0x7FF8000000000000ull),
                             same_bits<double>(0x7FF8000000000001ull), same_bits<double>(0x7FF4000000000001ull)});
  }
  TEST_CASE("a loop over a NaN ends at its first attempt") {
    auto value = test::uploaded(std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
    auto wide = test::uploaded(std::vector<double>{std::numeric_limits<double>::quiet_NaN()});
    auto attempts = test::filled<unsigned>(1);
    test::run({1, 1}, double_by_cas<float>, value.data(), attempts.data());
    CHECK(test::difference(attempts, std::vector<unsigned>{1}) == "");
    test::run({1, 1}, double_by_cas<double>, wide.data(), attempts.data());
    CHECK(test::difference(attempts, std::vector<unsigned>{1}) == "");
  }

  TEST_CASE_TEMPLATE("contended increments by compare_exchange", T, std::uint8_t, std::int16_t, std::uint32_t,
                     std::uint64_t, float, double) {
    test::check_increments<by_cas_loop<true>, T>();
    test::check_increments<by_cas_loop<false>, T>();
  }

  TEST_CASE_TEMPLATE("a lock-free list loses no node", Index, std::uint32_t, std::uint64_t) {
    constexpr unsigned nodes = 4 * 96;
    auto head = test::filled<Index>(1), next = test::filled<Index>(nodes + 1);
    test::run({4, 96}, push_nodes<Index>, head.data(), next.data());
    std::vector<Index> const link = test::downloaded(next);
    std::vector<unsigned> visits(nodes + 1, 0);
    unsigned length = 0;
    for (Index at = test::downloaded(head)[0]; at != 0 && length <= nodes; at = link[at]) {
      ++visits[at];
      ++length;
    }
    CHECK(length == nodes);
    CHECK(std::count(visits.begin() + 1, visits.end(), 1u) == nodes);
  }
}
