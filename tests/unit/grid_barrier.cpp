// The barrier of the grid, each algorithm: every crossing carries data.
#include <algorithm>

#include "support.hpp"

TYPE_TO_STRING(fermata::monotonic);
TYPE_TO_STRING(fermata::central_generation);
TYPE_TO_STRING(fermata::cooperative);

namespace {

// Before each crossing every thread writes a plain value, after it every thread reads those of several others: of the
// next thread, the next block, and of one far away. Two halves take turns, so that one crossing a round is enough.
template <class Algorithm>
FERMATA_KERNEL crossings(fm::grid_barrier<Algorithm> barrier, unsigned* data, unsigned* wrong, unsigned rounds) {
  auto const grid = fm::this_grid();
  unsigned const rank = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  unsigned const block = fm::this_block().size();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const half = data + (round & 1) * threads;
    half[rank] = test::mix(round * 65537 + rank);
    barrier.sync();
    for (unsigned step : {1u, block, threads - 1, threads / 2 + 1, round * 7919}) {
      unsigned const other = (rank + step) % threads;
      mismatches += half[other] != test::mix(round * 65537 + other);
    }
  }
  wrong[rank] = mismatches;
}

// The same with work between arrive and wait, block barriers among it.
template <class Algorithm>
FERMATA_KERNEL split_crossings(fm::grid_barrier<Algorithm> barrier, unsigned* data, unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(tile, unsigned[256]);
  auto const grid = fm::this_grid();
  auto const block = fm::this_block();
  unsigned const rank = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const half = data + (round & 1) * threads;
    half[rank] = test::mix(round * 65537 + rank);
    auto const token = barrier.arrive();
    tile[block.thread_rank()] = round + rank;
    block.sync();
    unsigned const mirror = block.size() - 1 - block.thread_rank();
    mismatches += tile[mirror] != round + rank - block.thread_rank() + mirror;
    barrier.wait(token);
    for (unsigned step : {1u, block.size(), threads - 1, threads / 2 + 1}) {
      unsigned const other = (rank + step) % threads;
      mismatches += half[other] != test::mix(round * 65537 + other);
    }
  }
  wrong[rank] = mismatches;
}

// Block 1 arrives only after it has heard that block 0 has: arrive must not wait. And block 0 reads what block 1 wrote
// before it arrived: wait must.
template <class Algorithm>
FERMATA_KERNEL late_arrival(fm::grid_barrier<Algorithm> barrier, unsigned* flag, unsigned* datum, unsigned* seen) {
  auto const block = fm::this_block();
  fm::device_atomic_ref<unsigned> const first_has_arrived(*flag);
  if (fm::this_grid().block_rank() == 0) {
    auto const token = barrier.arrive();
    if (block.thread_rank() == 0) first_has_arrived.store(1, fm::memory_order_relaxed);
    barrier.wait(token);
    if (block.thread_rank() == 5) *seen = *datum;
  } else {
    if (block.thread_rank() == 0) {
      while (first_has_arrived.load(fm::memory_order_relaxed) == 0) {
      }
    }
    block.sync();
    if (block.thread_rank() == 7) *datum = 1234;
    barrier.wait(barrier.arrive());
  }
}

// Two barriers in one kernel know nothing of each other.
template <class Algorithm>
FERMATA_KERNEL two_barriers(fm::grid_barrier<Algorithm> a, fm::grid_barrier<Algorithm> b, unsigned* data,
                            unsigned* wrong, unsigned rounds) {
  auto const grid = fm::this_grid();
  unsigned const rank = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    data[rank] = round + rank;
    a.sync();
    unsigned const other = (rank + threads / 2) % threads;
    mismatches += data[other] != round + other;
    b.sync();
  }
  wrong[rank] = mismatches;
}

// Grids of one block up to all that fit, with the sizes around which counting goes wrong.
std::vector<unsigned> grid_sizes(unsigned most) {
  std::vector<unsigned> sizes;
  for (unsigned n : {1u, 2u, 3u, 4u, 5u, 8u, 13u, 16u, 31u, 33u, 64u, 100u, 132u, 264u, most - 1, most})
    if (n >= 1 && n <= most) sizes.push_back(n);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

template <class... P>
unsigned most_blocks(void (*kernel)(P...), unsigned threads) {
  return static_cast<unsigned>(fm::max_resident_blocks(test::gpu(), kernel, threads));
}

template <class Algorithm>
void check_crossings(fm::grid_barrier<Algorithm> barrier, fm::launch_config const& config, unsigned rounds) {
  unsigned const blocks = config.grid.count(), threads = blocks * config.block.count();
  CAPTURE(blocks);
  CAPTURE(threads);
  auto data = test::filled<unsigned>(2 * threads), wrong = test::filled<unsigned>(threads, 0xFF);
  test::run_cooperative(config, crossings<Algorithm>, barrier, data.data(), wrong.data(), rounds);
  CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
}

// A state as if 2^32 were near: a few crossings before each of its words wraps around.
fm::grid_barrier_state nearly_wrapped(unsigned crossings_left) {
  fm::grid_barrier_state state{};
  state.arrived = 0u - crossings_left * fm::grid_barrier<fm::monotonic>::quantum;
  state.generation = 0u - crossings_left;
  return state;
}
// central_generation counts its arrivals from 0 in each crossing.
template <class Algorithm>
fm::grid_barrier_state start_state(unsigned crossings_left) {
  fm::grid_barrier_state state = nearly_wrapped(crossings_left);
  if (std::is_same_v<Algorithm, fm::central_generation>) state.arrived = 0;
  return state;
}

}  // namespace

TEST_SUITE("grid_barrier") {
  TEST_CASE_TEMPLATE("carries data over grids of every size, one storage for all", A, fm::monotonic,
                     fm::central_generation, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    for (unsigned threads : {32u, 100u}) {
      std::vector<unsigned> sizes = grid_sizes(most_blocks(crossings<A>, threads));
      for (unsigned blocks : sizes) check_crossings(storage.barrier(), {blocks, threads}, 12);
      // And in another order: large grids between small ones.
      for (std::size_t i = 0; i < sizes.size() / 2; ++i) {
        check_crossings(storage.barrier(), {sizes[sizes.size() - 1 - i], threads}, 3);
        check_crossings(storage.barrier(), {sizes[i], threads}, 3);
      }
    }
  }

  TEST_CASE_TEMPLATE("many crossings of few blocks", A, fm::monotonic, fm::central_generation, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    check_crossings(storage.barrier(), {2, 32}, 1000);
    check_crossings(storage.barrier(), {3, 64}, 300);  // 3 does not divide 2^32
  }

  TEST_CASE_TEMPLATE("blocks of 1 to 1024 threads, grids and blocks in more than one dimension", A, fm::monotonic,
                     fm::central_generation, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    for (unsigned threads : {1u, 31u, 33u, 513u, 1024u})
      check_crossings(storage.barrier(), {std::min(3u, most_blocks(crossings<A>, threads)), threads}, 8);
    check_crossings(storage.barrier(), {{2, 3}, {8, 6}}, 8);
    check_crossings(storage.barrier(), {{1, 2, 2}, {2, 3, 7}}, 8);
  }

  TEST_CASE_TEMPLATE("goes on when its words wrap around", A, fm::monotonic, fm::central_generation) {
    for (unsigned left :
         {1u, 2u, 3u, 128u, 129u}) {  // 128 quanta are half of 2^32: where a signed distance changes sign
      CAPTURE(left);
      fm::buffer<fm::grid_barrier_state> state =
          test::uploaded(std::vector<fm::grid_barrier_state>{start_state<A>(left)});
      for (unsigned blocks : {1u, 3u, 5u, 4u}) check_crossings(fm::grid_barrier<A>(state.data()), {blocks, 40}, 6);
    }
  }

  TEST_CASE_TEMPLATE("split into arrive and wait, with work between", A, fm::monotonic, fm::central_generation) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    for (unsigned blocks : grid_sizes(std::min(64u, most_blocks(split_crossings<A>, 96)))) {
      CAPTURE(blocks);
      unsigned const threads = blocks * 96;
      auto data = test::filled<unsigned>(2 * threads), wrong = test::filled<unsigned>(threads, 0xFF);
      test::run_cooperative({blocks, 96}, split_crossings<A>, storage.barrier(), data.data(), wrong.data(), 12u);
      CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
    }
  }

  TEST_CASE_TEMPLATE("arrive does not wait, and wait does", A, fm::monotonic, fm::central_generation) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    for (unsigned repeat = 0; repeat < 20; ++repeat) {
      auto flag = test::filled<unsigned>(1), datum = test::filled<unsigned>(1), seen = test::filled<unsigned>(1);
      test::run_cooperative({2, 48}, late_arrival<A>, storage.barrier(), flag.data(), datum.data(), seen.data());
      CHECK(test::difference(seen, std::vector<unsigned>{1234}) == "");
    }
  }

  TEST_CASE_TEMPLATE("two barriers in one kernel", A, fm::monotonic, fm::central_generation, fm::cooperative) {
    fm::grid_barrier_storage<A> first(test::gpu()), second(test::gpu());
    unsigned const threads = 4 * 64;
    auto data = test::filled<unsigned>(threads), wrong = test::filled<unsigned>(threads, 0xFF);
    test::run_cooperative({4, 64}, two_barriers<A>, first.barrier(), second.barrier(), data.data(), wrong.data(), 40u);
    CHECK(test::difference(wrong, std::vector<unsigned>(threads, 0u)) == "");
  }

  TEST_CASE_TEMPLATE("reset makes a storage new", A, fm::monotonic, fm::central_generation) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    check_crossings(storage.barrier(), {3, 32}, 5);
    storage.reset(test::queue());
    check_crossings(storage.barrier(), {4, 32}, 5);
  }

  TEST_CASE("the default algorithm") {
    fm::grid_barrier_storage<> storage(test::gpu());
    fm::grid_barrier<> const barrier = storage.barrier();
    check_crossings(barrier, {4, 64}, 10);
  }
}
