// The one- and two-byte operations through the aligned word, which targets without narrow atomics use: every thread
// works on an element of its own, and its neighbours in the word on theirs at the same time.
#include "support.hpp"

#include <fermata/detail/generic/subword.hpp>  // behind the 32-bit operations that it is made of

namespace {

namespace narrow = fm::detail::generic;

constexpr unsigned threads = 256;
constexpr unsigned steps = 7;  // results that a thread leaves

// The operations in turn; `at` knows the element and how to reach it: through the word, or plainly for the expectation.
template <class T, class Access>
FERMATA_DEVICE void work(unsigned i, T* out, Access at) {
  T const v = test::value_of<T>(i);
  out[0] = at.add(v);
  out[1] = at.bit_and(static_cast<T>(~v));
  out[2] = at.bit_or(static_cast<T>(i));
  out[3] = at.bit_xor(static_cast<T>(v + 3));
  T seen = static_cast<T>(i + 1);
  out[4] = at.compare_exchange(seen, v) ? T{1} : seen;  // mostly fails, and tells the value
  out[5] = at.compare_exchange(seen, v) ? T{1} : seen;  // succeeds with the value just seen
  out[6] = at.add(T{1});
}

template <class T>
struct through_word {
  static constexpr auto scope = fm::thread_scope::device;
  T* p;
  FERMATA_DEVICE T add(T v) const {
    return narrow::subword_fetch_update<scope>(p, [v](T old) { return static_cast<T>(old + v); });
  }
  FERMATA_DEVICE T bit_and(T v) const { return narrow::subword_fetch_and<scope>(p, v); }
  FERMATA_DEVICE T bit_or(T v) const { return narrow::subword_fetch_or<scope>(p, v); }
  FERMATA_DEVICE T bit_xor(T v) const { return narrow::subword_fetch_xor<scope>(p, v); }
  FERMATA_DEVICE bool compare_exchange(T& expected, T v) const {
    return narrow::subword_compare_exchange<scope>(p, expected, v);
  }
};

template <class T>
struct plain {
  T* p;
  FERMATA_DEVICE T replace(T v) const {
    T const old = *p;
    *p = v;
    return old;
  }
  FERMATA_DEVICE T add(T v) const { return replace(static_cast<T>(*p + v)); }
  FERMATA_DEVICE T bit_and(T v) const { return replace(static_cast<T>(*p & v)); }
  FERMATA_DEVICE T bit_or(T v) const { return replace(static_cast<T>(*p | v)); }
  FERMATA_DEVICE T bit_xor(T v) const { return replace(static_cast<T>(*p ^ v)); }
  FERMATA_DEVICE bool compare_exchange(T& expected, T v) const {
    if (*p == expected) {
      replace(v);
      return true;
    }
    expected = *p;
    return false;
  }
};

template <class T, template <class> class Access>
FERMATA_KERNEL own_elements(T* elements, T* out) {
  unsigned const i = fm::this_block().thread_rank();
  for (unsigned round = 0; round < 16; ++round) work(i, out + i * steps, Access<T>{elements + i});
}

// All threads on few elements; the sum must be right and no neighbour lost.
template <class T>
FERMATA_KERNEL common_elements(T* elements) {
  (void)through_word<T>{elements + fm::this_block().thread_rank() % 5}.add(T{1});
}

template <class T>
void check() {
  std::vector<T> start(threads);
  for (unsigned i = 0; i < threads; ++i) start[i] = test::value_of<T>(i + 1000);
  auto const elements = test::uploaded(start), wanted = test::uploaded(start);
  auto const out = test::filled<T>(threads * steps), wanted_out = test::filled<T>(threads * steps);
  test::run({1, threads}, own_elements<T, through_word>, elements.data(), out.data());
  test::run({1, threads}, own_elements<T, plain>, wanted.data(), wanted_out.data());
  CHECK(test::difference(out, test::downloaded(wanted_out)) == "");
  CHECK(test::difference(elements, test::downloaded(wanted)) == "");

  std::vector<T> counts(8, T{100});
  auto const device_counts = test::uploaded(counts);
  test::run({1, 100}, common_elements<T>, device_counts.data());
  for (unsigned i = 0; i < 5; ++i) counts[i] = static_cast<T>(100 + 20);
  CHECK(test::difference(device_counts, counts) == "");
}

}  // namespace

TEST_SUITE("atomic_rmw") {
  TEST_CASE("through the word: 1 byte, unsigned") { check<std::uint8_t>(); }
  TEST_CASE("through the word: 1 byte, signed") { check<std::int8_t>(); }
  TEST_CASE("through the word: 2 bytes, unsigned") { check<std::uint16_t>(); }
  TEST_CASE("through the word: 2 bytes, signed") { check<std::int16_t>(); }
}
