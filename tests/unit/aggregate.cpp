// One atomic for the lanes with the same address: each lane has the old value that it would have if the lanes had come
// one after the other; whichever lanes are there, whatever the addresses and values.
#include <algorithm>
#include <limits>

#include "support.hpp"

namespace {

// One round: who takes part, where each lane adds, and what.
struct turn_of_lanes {
  std::uint64_t mask;
  std::uint8_t keys, values;  // patterns, below
};

constexpr unsigned key_count = 64;

FERMATA_FN unsigned key_of(unsigned pattern, unsigned lane, unsigned p) {
  switch (pattern) {
    case 0:
      return p % key_count;  // one address
    case 1:
      return test::mix(lane * 7 + p) % 4;  // few
    case 2:
      return test::mix(lane + p) % 8 == 0 ? lane : 5;  // mostly one
    case 3:
      return lane / 8;  // neighbours together
    default:
      return lane;  // all different
  }
}

template <class T>
FERMATA_FN T value_of(unsigned pattern, unsigned lane, unsigned p) {
  switch (pattern) {
    case 0:
      return static_cast<T>(p * 77 + 1);  // one for all
    case 1:
      return static_cast<T>(test::mix(lane + p * 64));  // any
    case 2:
      return test::value_of<T>(lane * 3 + p);  // any in all bytes: sums go around
    case 3:
      return static_cast<T>(lane % 2 == 0 ? -1 : 1);  // zero together
    default:
      return static_cast<T>(key_of(1, lane, p) + 1);  // alike where the pattern of few keys is
  }
}

constexpr unsigned patterns = 5;

// Each lane missing, each lane alone, none, all, and random ones; with every pattern of keys and values.
std::vector<turn_of_lanes> rounds() {
  std::vector<turn_of_lanes> result;
  auto const add = [&](std::uint64_t mask) {
    unsigned const n = static_cast<unsigned>(result.size());
    result.push_back(
        {mask, static_cast<std::uint8_t>(n % patterns), static_cast<std::uint8_t>(n / patterns % patterns)});
  };
  for (unsigned i = 0; i < patterns * patterns; ++i) add(~std::uint64_t{0});
  for (unsigned lane = 0; lane < test::wave_size(); ++lane)
    for (unsigned key = 0; key < 3; ++key) {
      add(~(std::uint64_t{1} << lane));
      add(std::uint64_t{1} << lane);
    }
  for (unsigned i = 0; i < 100; ++i)
    add((std::uint64_t{test::mix(3 * i + 1)} << 32 | test::mix(3 * i + 2)) &
        (i % 2 == 0 ? ~std::uint64_t{0} : test::mix(i)));
  add(0);
  return result;
}

// What a lane got.
template <class T>
struct olds {
  T fetched, incremented;
};

// A single wave. The lanes of the mask add by all three forms, each on counters of its own; those outside take places
// in another branch, again on counters of their own. counters: of each round four times key_count.
template <class T>
FERMATA_KERNEL add_in_rounds(turn_of_lanes const* rounds, unsigned count, T* counters, olds<T>* out) {
  unsigned const lane = fm::this_wave().lane(), threads = fm::this_block().size();
  for (unsigned p = 0; p < count; ++p) {
    turn_of_lanes const r = rounds[p];
    T const value = value_of<T>(r.values, lane, p);
    T* const mine = counters + p * 4 * key_count + key_of(r.keys, lane, p);
    olds<T>& old = out[p * threads + lane];
    bool const inside = (r.mask >> lane) & 1;
    // Those who belong together meet in front of each line, so that they are there together.
    auto const side = fm::this_wave().subset(fm::this_wave().match_any(inside));
    side.sync();
    if (inside) {
      old.fetched = fm::aggregated_fetch_add(fm::device_atomic_ref<T>(mine[0]), value, fm::memory_order_relaxed);
      side.sync();
      old.incremented = fm::aggregated_increment(fm::device_atomic_ref<T>(mine[key_count]), fm::memory_order_relaxed);
      side.sync();
      fm::aggregated_add(fm::device_atomic_ref<T>(mine[2 * key_count]), value, fm::memory_order_relaxed);
    } else {
      old.fetched = value;
      old.incremented =
          fm::aggregated_increment(fm::device_atomic_ref<T>(mine[3 * key_count]), fm::memory_order_relaxed);
    }
  }
}

template <class T>
void check_rounds(unsigned threads) {
  CAPTURE(threads);
  auto const all = rounds();
  unsigned const count = static_cast<unsigned>(all.size());
  // Not zeros: the old value of a counter is part of every result.
  std::vector<T> counters(count * 4 * key_count);
  for (unsigned i = 0; i < counters.size(); ++i) counters[i] = test::value_of<T>(i);
  auto const rounds_on_device = test::uploaded(all);
  auto on_device = test::uploaded(counters);
  auto out = test::filled<olds<T>>(count * threads, 0xCD);
  test::run({1, threads}, add_in_rounds<T>, rounds_on_device.data(), count, on_device.data(), out.data());

  std::vector<olds<T>> want(count * threads);
  auto const add = [](T& to, T value) {
    T const old = to;
    to = fm::plus{}(to, value);
    return old;
  };
  for (unsigned p = 0; p < count; ++p)
    for (unsigned lane = 0; lane < threads; ++lane) {
      T* const mine = &counters[p * 4 * key_count + key_of(all[p].keys, lane, p)];
      T const value = value_of<T>(all[p].values, lane, p);
      if ((all[p].mask >> lane) & 1) {
        want[p * threads + lane] = {add(mine[0], value), add(mine[key_count], 1)};
        add(mine[2 * key_count], value);
      } else {
        want[p * threads + lane] = {value, add(mine[3 * key_count], 1)};
      }
    }
  CHECK(test::difference(out, want) == "");
  CHECK(test::difference(on_device, counters) == "");
}

// Blocks of several waves take places from few counters, some of which are wanted far more than others.
FERMATA_KERNEL take_places(unsigned* counters, unsigned keys, unsigned* taken, unsigned per_thread) {
  unsigned const thread = static_cast<unsigned>(fm::this_grid().thread_rank());
  for (unsigned i = 0; i < per_thread; ++i) {
    unsigned const random = test::mix(thread * per_thread + i);
    unsigned const key = random % 3 == 0 ? random / 3 % keys : 0;
    taken[thread * per_thread + i] =
        fm::aggregated_increment(fm::device_atomic_ref<unsigned>(counters[key]), fm::memory_order_relaxed);
  }
}

// In shared memory, at block scope.
FERMATA_KERNEL count_in_block(unsigned* out, unsigned per_thread) {
  FERMATA_SHARED(counters, unsigned[8]);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0)
    for (unsigned k = 0; k < 8; ++k) counters[k] = 0;
  fm::this_block().sync();
  for (unsigned i = 0; i < per_thread; ++i)
    fm::aggregated_add(fm::block_atomic_ref<unsigned>(counters[test::mix(rank + i * 1024) % 8]), rank + i,
                       fm::memory_order_relaxed);
  fm::this_block().sync();
  if (rank == 0)
    for (unsigned k = 0; k < 8; ++k) out[k] = counters[k];
}

// What every lane of a wave wrote is released by the one atomic, and what it acquires is for all of them: the blocks
// pass a turn on, and each adds to what the one before left.
FERMATA_KERNEL take_turns(unsigned* turn, unsigned* data, unsigned turns) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const lane = fm::this_wave().lane(), width = fm::this_block().size();
  fm::device_atomic_ref<unsigned> const word(*turn);
  for (unsigned t = block; t < turns; t += blocks) {
    // Look, all together, until it is the block's turn; not for ever, so that a wrong sum is a failure and no hang.
    unsigned looks = 1u << 18;
    while (fm::aggregated_fetch_add(word, 0, fm::memory_order_acquire) != t * width && --looks != 0) {
    }
    if (looks == 0) return;
    // What another lane left.
    unsigned const seen = t == 0 ? 0 : data[(t - 1) * width + (lane + 1) % width];
    data[t * width + lane] = seen + test::mix(t * width + lane);
    fm::aggregated_add(word, 1, fm::memory_order_release);
  }
}

}  // namespace

TEST_SUITE("aggregate") {
  TEST_CASE_TEMPLATE("old values and sums, for every set of lanes", T, std::uint32_t, std::int64_t) {
    check_rounds<T>(test::wave_size());
    check_rounds<T>(test::wave_size() - 11);
    check_rounds<T>(1);
  }

  TEST_CASE("places are given out once each, by blocks of many waves") {
    for (unsigned threads : {1u, 65u, 256u}) {
      CAPTURE(threads);
      constexpr unsigned keys = 7, per_thread = 40;
      unsigned const blocks = 5, count = blocks * threads * per_thread;
      auto counters = test::filled<unsigned>(keys), taken = test::filled<unsigned>(count, 0xCD);
      test::run({blocks, threads}, take_places, counters.data(), keys, taken.data(), per_thread);
      auto const got = test::downloaded(taken);
      std::vector<std::vector<unsigned>> places(keys);
      for (unsigned i = 0; i < count; ++i) {
        unsigned const random = test::mix(i);
        places[random % 3 == 0 ? random / 3 % keys : 0].push_back(got[i]);
      }
      std::vector<unsigned> totals;
      for (std::vector<unsigned>& of_key : places) {
        totals.push_back(static_cast<unsigned>(of_key.size()));
        std::sort(of_key.begin(), of_key.end());
        std::vector<unsigned> all(of_key.size());
        for (unsigned i = 0; i < all.size(); ++i) all[i] = i;
        CHECK(test::difference(of_key, all) == "");
      }
      CHECK(test::difference(counters, totals) == "");
    }
  }

  TEST_CASE("in shared memory") {
    unsigned const threads = 200, per_thread = 20;
    auto out = test::filled<unsigned>(8, 0xCD);
    test::run({1, threads}, count_in_block, out.data(), per_thread);
    std::vector<unsigned> want(8);
    for (unsigned rank = 0; rank < threads; ++rank)
      for (unsigned i = 0; i < per_thread; ++i) want[test::mix(rank + i * 1024) % 8] += rank + i;
    CHECK(test::difference(out, want) == "");
  }

  TEST_CASE("the orders hold for all lanes") {
    for (unsigned blocks : {1u, 3u}) {
      CAPTURE(blocks);
      unsigned const width = test::wave_size(), turns = 30;
      auto turn = test::filled<unsigned>(1), data = test::filled<unsigned>(turns * width, 0xCD);
      test::run_cooperative({blocks, width}, take_turns, turn.data(), data.data(), turns);
      std::vector<unsigned> want(turns * width);
      for (unsigned t = 0; t < turns; ++t)
        for (unsigned lane = 0; lane < width; ++lane)
          want[t * width + lane] =
              (t == 0 ? 0 : want[(t - 1) * width + (lane + 1) % width]) + test::mix(t * width + lane);
      CHECK(test::difference(data, want) == "");
    }
  }
}
