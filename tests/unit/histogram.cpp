// Histograms: every key is counted once, in shared memory and in registers, again and again in the same memory.
#include "support.hpp"

namespace {

// The i-th key of a thread in a round; skewed, so that most of them are one bin.
FERMATA_FN unsigned key_of(unsigned bins, unsigned thread, unsigned i, unsigned round, bool skewed) {
  unsigned const random = test::mix(thread * 769 + i * 31 + round);
  return skewed && random % 16 != 0 ? bins / 2 : (random >> 4) % bins;
}

// So that threads do not all count equally often.
FERMATA_FN unsigned keys_of(unsigned thread, unsigned per_thread) { return per_thread + thread % 3; }

constexpr unsigned rounds = 3;

// Rounds go to the result one after the other, without a barrier of our own.
template <unsigned Bins, unsigned Replicas, class Count>
FERMATA_KERNEL count_in_shared_memory(Count* result, unsigned per_thread, bool skewed) {
  FERMATA_SHARED(histogram, fm::privatized_histogram<Bins, Replicas>);
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  for (unsigned round = 0; round < rounds; ++round) {
    histogram.clear();
    for (unsigned i = 0; i < keys_of(thread, per_thread); ++i) {
      unsigned const key = key_of(Bins, thread, i, round, skewed);
      if (i % 2 == 0)
        histogram.add(key);
      else
        histogram.add(key, 5);
    }
    histogram.merge_into(result + round * Bins);
  }
}

template <unsigned Bins, class Count>
FERMATA_KERNEL count_in_registers(Count* result, unsigned* wrong, unsigned per_thread, bool skewed) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned mismatches = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    fm::register_histogram<Bins> histogram;
    for (unsigned i = 0; i < keys_of(thread, per_thread); ++i) histogram.add(key_of(Bins, thread, i, round, skewed));
    unsigned mine = 0;
    for (unsigned i = 0; i < keys_of(thread, per_thread); ++i)
      mine += key_of(Bins, thread, i, round, skewed) == Bins / 2;
    mismatches += histogram.count(Bins / 2) != mine;
    histogram.merge_into(result + round * Bins);
  }
  wrong[thread] = mismatches;
}

struct shape {
  unsigned blocks, threads, per_thread;
};

// The result of all threads; `weights` is what the key of even and of odd i counts.
template <class Count>
std::vector<Count> counted(unsigned bins, shape const& s, bool skewed, unsigned odd_weight) {
  std::vector<Count> result(rounds * bins);
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned thread = 0; thread < s.blocks * s.threads; ++thread)
      for (unsigned i = 0; i < keys_of(thread, s.per_thread); ++i)
        result[round * bins + key_of(bins, thread, i, round, skewed)] += i % 2 == 0 ? 1 : odd_weight;
  return result;
}

template <unsigned Bins, unsigned Replicas, class Count>
void check_shared() {
  for (shape const& s : {shape{1, 1, 50}, shape{1, 33, 7}, shape{4, 256, 5}, shape{2, 65, 20}})
    for (bool skewed : {false, true}) {
      CAPTURE(Bins);
      CAPTURE(Replicas);
      CAPTURE(s.threads);
      CAPTURE(skewed);
      auto result = test::filled<Count>(rounds * Bins);
      test::run({s.blocks, s.threads}, count_in_shared_memory<Bins, Replicas, Count>, result.data(), s.per_thread,
                skewed);
      CHECK(test::difference(result, counted<Count>(Bins, s, skewed, 5)) == "");
    }
}

template <unsigned Bins, class Count>
void check_registers() {
  // More keys than a packed counter holds, several times over.
  for (shape const& s : {shape{1, 1, 1000}, shape{1, 33, 300}, shape{3, 96, 254}, shape{2, 65, 255}})
    for (bool skewed : {false, true}) {
      CAPTURE(Bins);
      CAPTURE(s.threads);
      CAPTURE(skewed);
      auto result = test::filled<Count>(rounds * Bins);
      auto wrong = test::filled<unsigned>(s.blocks * s.threads, 0xFF);
      test::run({s.blocks, s.threads}, count_in_registers<Bins, Count>, result.data(), wrong.data(), s.per_thread,
                skewed);
      CHECK(test::difference(result, counted<Count>(Bins, s, skewed, 1)) == "");
      CHECK(test::difference(wrong, std::vector<unsigned>(s.blocks * s.threads, 0u)) == "");
    }
}

}  // namespace

TEST_SUITE("histogram") {
  TEST_CASE("in shared memory") {
    check_shared<64, 1, std::uint32_t>();
    check_shared<257, 3, std::uint64_t>();
    check_shared<10, 32, std::uint32_t>();
  }

  TEST_CASE("in registers") {
    check_registers<1, std::uint32_t>();
    check_registers<6, std::uint64_t>();
    check_registers<32, std::uint32_t>();
  }
}
