// Clusters: which blocks they are made of, and their barrier.
#include "support.hpp"

namespace {

struct place {
  unsigned rank, size;
};

FERMATA_KERNEL find_places(place* out) {
  if (fm::this_block().thread_rank() == 0)
    out[fm::this_grid().block_rank()] = {fm::this_cluster().rank(), fm::this_cluster().size()};
}

// In each round every thread publishes a value, and reads what a thread of another block of its cluster published. The
// clusters do different numbers of rounds. With `split`, in two halves with work between them.
FERMATA_KERNEL exchange_places(unsigned* data, unsigned* wrong, unsigned rounds, bool split) {
  auto const cluster = fm::this_cluster();
  auto const block = fm::this_block();
  unsigned const blocks = cluster.size(), threads = blocks * block.size();
  unsigned const first_block = fm::this_grid().block_rank() - cluster.rank();
  unsigned const rank = cluster.rank() * block.size() + block.thread_rank();
  unsigned* const own = data + first_block * block.size();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds + first_block % 5; ++round) {
    own[rank] = test::mix(round * 8192 + rank);
    unsigned const other = (rank + round * block.size() + 7) % threads;
    if (split) {
      auto const token = cluster.arrive();
      unsigned const expected = test::mix(round * 8192 + other);
      cluster.wait(token);
      mismatches += own[other] != expected;
      cluster.wait(cluster.arrive());
    } else {
      cluster.sync();
      mismatches += own[other] != test::mix(round * 8192 + other);
      cluster.sync();
    }
  }
  wrong[fm::this_grid().thread_rank()] = mismatches;
}

using cluster_barrier = fm::barrier<fm::thread_scope_cluster>;

FERMATA_KERNEL init_barriers(cluster_barrier* barriers, unsigned expected) {
  barriers[fm::this_block().thread_rank()].init(expected);
}

// Each cluster has a barrier in memory, at which one thread of each block arrives for its block.
FERMATA_KERNEL exchange_at_barrier(cluster_barrier* barriers, unsigned* data, unsigned* wrong, unsigned rounds) {
  auto const block = fm::this_block();
  unsigned const blocks = fm::this_cluster().size(), cluster_rank = fm::this_cluster().rank();
  unsigned const cluster = fm::this_grid().block_rank() / blocks, threads = blocks * block.size();
  unsigned const rank = cluster_rank * block.size() + block.thread_rank();
  unsigned* const own = data + cluster * threads;
  unsigned mismatches = 0;
  for (unsigned phase = 0; phase < 2 * rounds; ++phase) {
    if (phase % 2 == 0) own[rank] = test::mix(phase * 8192 + rank);
    block.sync();
    if (block.thread_rank() == 0) barriers[cluster].arrive_and_wait();
    block.sync();
    unsigned const other = (rank + block.size() + 3 * phase) % threads;
    if (phase % 2 == 0) mismatches += own[other] != test::mix(phase * 8192 + other);
  }
  wrong[fm::this_grid().thread_rank()] = mismatches;
}

// The barriers of the block, the cluster and the grid in turn.
FERMATA_KERNEL sync_all_levels(unsigned* data, unsigned* wrong, unsigned rounds) {
  auto const grid = fm::this_grid();
  unsigned const rank = static_cast<unsigned>(grid.thread_rank()), threads = static_cast<unsigned>(grid.size());
  unsigned const block_threads = fm::this_block().size(), cluster_threads = block_threads * fm::this_cluster().size();
  unsigned mismatches = 0;
  for (unsigned round = 0; round < 3 * rounds; ++round) {
    data[rank] = test::mix(round * 8192 + rank);
    unsigned const span = round % 3 == 0 ? block_threads : round % 3 == 1 ? cluster_threads : threads;
    if (round % 3 == 0)
      fm::this_block().sync();
    else if (round % 3 == 1)
      fm::this_cluster().sync();
    else
      grid.sync();
    unsigned const other = rank / span * span + (rank + round * 19 + 5) % span;
    mismatches += data[other] != test::mix(round * 8192 + other);
    grid.sync();
  }
  wrong[rank] = mismatches;
}

std::vector<unsigned> sizes() {
  std::vector<unsigned> result;
  for (unsigned size : {1u, 2u, 3u, 4u, 8u})
    if (size <= test::gpu().info().max_blocks_per_cluster) result.push_back(size);
  return result;
}

std::vector<unsigned> zeros(unsigned count) { return std::vector<unsigned>(count, 0u); }

test::caught refusal(fm::launch_config const& config) {
  auto out = test::filled<place>(64, 0);
  test::caught const e = test::error_of([&] { fm::launch(test::queue(), config, find_places, out.data()); });
  test::queue().synchronize();
  CHECK(test::difference(out, std::vector<place>(64)) == "");
  return e;
}

}  // namespace

TEST_SUITE("cluster") {
  TEST_CASE("blocks that are neighbours in x make a cluster") {
    for (unsigned cluster : sizes())
      for (fm::dim3 const& grid : {fm::dim3(24), fm::dim3(24, 3, 2)}) {
        CAPTURE(cluster);
        CAPTURE(grid.count());
        auto out = test::filled<place>(grid.count(), 0xCD);
        test::run({grid, 40, 0, cluster}, find_places, out.data());
        std::vector<place> want;
        for (unsigned b = 0; b < grid.count(); ++b) want.push_back({b % 24 % cluster, cluster});
        CHECK(test::difference(out, want) == "");
      }
  }

  TEST_CASE("a launch that names no cluster has clusters of one block, whose barrier is the block's") {
    auto out = test::filled<place>(5, 0xCD);
    test::run({5, 40}, find_places, out.data());
    CHECK(test::difference(out, std::vector<place>(5, place{0, 1})) == "");
    for (bool split : {false, true}) {
      auto data = test::filled<unsigned>(5 * 96), wrong = test::filled<unsigned>(5 * 96, 0xFF);
      test::run({5, 96}, exchange_places, data.data(), wrong.data(), 10u, split);
      CHECK(test::difference(wrong, zeros(5 * 96)) == "");
    }
  }

  TEST_CASE("sync makes memory visible in the cluster, and clusters do not wait for each other") {
    // More blocks than can be resident at once on some devices: no cooperative launch is needed.
    constexpr unsigned blocks = 72;
    for (unsigned cluster : sizes())
      for (unsigned threads : {1u, 33u, 128u})
        for (bool split : {false, true}) {
          CAPTURE(cluster);
          CAPTURE(threads);
          CAPTURE(split);
          auto data = test::filled<unsigned>(blocks * threads), wrong = test::filled<unsigned>(blocks * threads, 0xFF);
          test::run({blocks, threads, 0, cluster}, exchange_places, data.data(), wrong.data(), 10u, split);
          CHECK(test::difference(wrong, zeros(blocks * threads)) == "");
        }
  }

  TEST_CASE("the largest blocks in the largest clusters") {
    unsigned const threads = test::gpu().info().max_threads_per_block, cluster = sizes().back();
    auto data = test::filled<unsigned>(cluster * threads), wrong = test::filled<unsigned>(cluster * threads, 0xFF);
    test::run({cluster, threads, 0, cluster}, exchange_places, data.data(), wrong.data(), 5u, false);
    CHECK(test::difference(wrong, zeros(cluster * threads)) == "");
  }

  TEST_CASE("a barrier of cluster scope") {
    for (unsigned cluster : sizes()) {
      CAPTURE(cluster);
      unsigned const threads = 24 * 64;
      fm::buffer<cluster_barrier> barriers(test::gpu(), 24 / cluster);
      auto data = test::filled<unsigned>(threads), wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, 24 / cluster}, init_barriers, barriers.data(), cluster);
      test::run({24, 64, 0, cluster}, exchange_at_barrier, barriers.data(), data.data(), wrong.data(), 20u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("clusters in a cooperative launch") {
    for (unsigned cluster : sizes()) {
      CAPTURE(cluster);
      unsigned const blocks = 2 * cluster, threads = blocks * 64;
      int const possible = fm::max_resident_blocks(test::gpu(), sync_all_levels, 64, 0, cluster);
      CHECK(possible >= static_cast<int>(blocks));
      CHECK(static_cast<unsigned>(possible) % cluster == 0);
      auto data = test::filled<unsigned>(threads), wrong = test::filled<unsigned>(threads, 0xFF);
      test::run_cooperative({blocks, 64, 0, cluster}, sync_all_levels, data.data(), wrong.data(), 10u);
      CHECK(test::difference(wrong, zeros(threads)) == "");

      unsigned const too_many = static_cast<unsigned>(possible) + cluster;
      test::caught const e = test::error_of([&] {
        test::run_cooperative({too_many, 64, 0, cluster}, sync_all_levels, data.data(), wrong.data(), 10u);
      });
      CHECK(e.code == fm::errc::too_many_blocks);
      CHECK(e.mentions(std::to_string(too_many)));
    }
  }

  TEST_CASE("clusters that cannot be are refused, and nothing runs") {
    unsigned const most = test::gpu().info().max_blocks_per_cluster;
    CHECK((most == 1 || most == 8));
    test::caught const none = refusal({8, 32, 0, 0});
    CHECK(none.code == fm::errc::invalid_argument);
    CHECK(none.mentions("at least one block"));
    if (most == 1) {
      test::caught const unsupported = refusal({8, 32, 0, 2});
      CHECK(unsupported.code == fm::errc::unsupported);
      CHECK(unsupported.mentions("cluster = 1"));
      return;
    }
    test::caught const large = refusal({18, 32, 0, 9});
    CHECK(large.code == fm::errc::invalid_argument);
    CHECK(large.mentions("clusters of 9 blocks"));
    CHECK(large.mentions("at most 8"));
    test::caught const uneven = refusal({{9, 2}, 32, 0, 2});
    CHECK(uneven.code == fm::errc::invalid_argument);
    CHECK(uneven.mentions("9 blocks in x are no whole number of clusters of 2"));
    CHECK_THROWS_AS(fm::max_resident_blocks(test::gpu(), find_places, 64, 0, 9), fm::error);
  }
}
