// Read-modify-write under contention: nothing is lost, nothing is seen twice, neighbours stay what they were.
#include "contention.hpp"

namespace {

struct by_fetch_add {
  template <class T>
  FERMATA_DEVICE static T apply(fm::device_atomic_ref<T> counter) {
    return counter.fetch_add(T(1), fm::memory_order_relaxed);
  }
};
struct by_fetch_sub {
  template <class T>
  FERMATA_DEVICE static T apply(fm::device_atomic_ref<T> counter) {
    return counter.fetch_sub(T(-1), fm::memory_order_acq_rel);
  }
};

// Each thread owns one bit of a word that all share, and flips it for a while; what it leaves there is reported.
template <class T>
FERMATA_KERNEL own_bits(T* word, T* flipped, unsigned char* left, unsigned* arrived, std::uint64_t ticks) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  T const bit = static_cast<T>(T{1} << thread);
  fm::device_atomic_ref<T> const a(*word), b(*flipped);
  unsigned const calls = test::hammer_for(ticks, arrived, [&](unsigned i) {
    if ((i + thread) % 2 == 0)
      a.fetch_or(bit, fm::memory_order_relaxed);
    else
      a.fetch_and(static_cast<T>(~bit), fm::memory_order_acq_rel);
    b.fetch_xor(bit, fm::memory_order_seq_cst);
  });
  left[thread] = (calls - 1 + thread) % 2 == 0;
  left[sizeof(T) * 8 + thread] = calls % 2;
}

FERMATA_KERNEL hand_over(unsigned* slot, unsigned* received) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  received[thread] = fm::device_atomic_ref<unsigned>(*slot).exchange(thread + 1, fm::memory_order_acq_rel);
}

template <class T>
FERMATA_KERNEL extremes(T* low, T* high, T const* values, test::shape where) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const at = test::counter_of(where, thread) * test::counter_stride(where, sizeof(T));
  fm::device_atomic_ref<T>(low[at]).fetch_min(values[thread], fm::memory_order_relaxed);
  fm::device_atomic_ref<T>(high[at]).fetch_max(values[thread], fm::memory_order_relaxed);
}

// The block's threads add up in its shared memory first.
template <class T>
FERMATA_KERNEL add_in_block(T* totals) {
  FERMATA_SHARED(sum, T);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) sum = T(0);
  block.sync();
  fm::block_atomic_ref<T>(sum).fetch_add(static_cast<T>(block.thread_rank()), fm::memory_order_relaxed);
  block.sync();
  if (block.thread_rank() == 0) totals[fm::this_grid().block_rank()] = sum;
}

}  // namespace

TEST_SUITE("atomic_rmw") {
  TEST_CASE_TEMPLATE("contended fetch_add and fetch_sub", T, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t) {
    test::check_increments<by_fetch_add, T>();
    test::check_increments<by_fetch_sub, T>();
  }

  TEST_CASE_TEMPLATE("contended fetch_add of floats", T, float, double) { test::check_increments<by_fetch_add, T>(); }

  TEST_CASE_TEMPLATE("contended fetch_or, fetch_and, fetch_xor", T, std::uint8_t, std::uint16_t, std::uint32_t,
                     std::uint64_t) {
    constexpr unsigned bits = sizeof(T) * 8, blocks = 2;
    auto word = test::filled<T>(1), flipped = test::filled<T>(1);
    auto left = test::filled<unsigned char>(2 * bits);
    auto arrived = test::filled<unsigned>(1);
    test::run_cooperative({blocks, bits / blocks}, own_bits<T>, word.data(), flipped.data(), left.data(),
                          arrived.data(), test::hammer_ticks());
    std::vector<unsigned char> const last = test::downloaded(left);
    T want_word = 0, want_flipped = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      want_word = static_cast<T>(want_word | T{last[bit]} << bit);
      want_flipped = static_cast<T>(want_flipped | T{last[bits + bit]} << bit);
    }
    CHECK(test::difference(word, std::vector<T>{want_word}) == "");
    CHECK(test::difference(flipped, std::vector<T>{want_flipped}) == "");
  }

  TEST_CASE("contended exchange hands every value over once") {
    constexpr unsigned threads = 4 * 100;
    auto slot = test::filled<unsigned>(1), received = test::filled<unsigned>(threads, 0xFF);
    test::run({4, 100}, hand_over, slot.data(), received.data());
    std::vector<unsigned> seen = test::downloaded(received);
    seen.push_back(test::downloaded(slot)[0]);
    std::sort(seen.begin(), seen.end());
    std::vector<unsigned> each_once;
    for (unsigned i = 0; i <= threads; ++i) each_once.push_back(i);
    CHECK(test::difference(seen, each_once) == "");
  }

  TEST_CASE_TEMPLATE("contended fetch_min and fetch_max", T, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t,
                     float, double) {
    constexpr unsigned threads = 3 * 96;
    std::vector<T> values;
    for (unsigned i = 0; i < threads; ++i) {
      if constexpr (std::is_floating_point_v<T>)
        values.push_back(static_cast<T>(static_cast<std::int32_t>(test::mix(i))));
      else
        values.push_back(test::value_of<T>(i));
    }
    auto input = test::uploaded(values);
    for (test::shape where : {test::shape::same, test::shape::adjacent, test::shape::scattered}) {
      CAPTURE(static_cast<int>(where));
      std::vector<T> const start(61 * 128, values[0]);
      std::vector<T> least = start, most = start;
      for (unsigned i = 0; i < threads; ++i) {
        unsigned const at = test::counter_of(where, i) * test::counter_stride(where, sizeof(T));
        least[at] = std::min(least[at], values[i]);
        most[at] = std::max(most[at], values[i]);
      }
      auto low = test::uploaded(start), high = test::uploaded(start);
      test::run({3, 96}, extremes<T>, low.data(), high.data(), input.data(), where);
      CHECK(test::difference(low, least) == "");
      CHECK(test::difference(high, most) == "");
    }
  }

  TEST_CASE_TEMPLATE("sums in shared memory", T, std::uint32_t, std::uint64_t, float, double) {
    constexpr unsigned blocks = 5, threads = 200;
    auto totals = test::filled<T>(blocks);
    test::run({blocks, threads}, add_in_block<T>, totals.data());
    CHECK(test::difference(totals, std::vector<T>(blocks, static_cast<T>(threads * (threads - 1) / 2))) == "");
  }
}
