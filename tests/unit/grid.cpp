// The grid: where its threads are, how many blocks fit, what a cooperative launch refuses.
#include "support.hpp"

namespace {

struct position {
  std::uint64_t size, thread_rank;
  unsigned num_blocks, block_rank;
  fm::dim3 dim;
  unsigned unused;
};

FERMATA_KERNEL find_positions(position* out) {
  auto const grid = fm::this_grid();
  out[grid.thread_rank()] = {grid.size(), grid.thread_rank(), grid.num_blocks(), grid.block_rank(), grid.dim(), 0};
}

// Which block, by its index in three dimensions, has which rank.
FERMATA_KERNEL rank_of_block(unsigned* ranks) {
  fm::dim3 const at = fm::this_block().index(), n = fm::this_grid().dim();
  if (fm::this_block().thread_rank() == 0) ranks[at.x + n.x * (at.y + n.y * at.z)] = fm::this_grid().block_rank();
}

FERMATA_KERNEL count_blocks(unsigned* blocks) {
  if (fm::this_block().thread_rank() == 0)
    fm::device_atomic_ref<unsigned>(*blocks).fetch_add(1, fm::memory_order_relaxed);
}

// All blocks meet: it ends only if all of them are resident.
FERMATA_KERNEL meet(unsigned* arrived, unsigned* met) {
  if (fm::this_block().thread_rank() != 0) return;
  fm::device_atomic_ref<unsigned> const count(*arrived);
  count.fetch_add(1, fm::memory_order_relaxed);
  while (count.load(fm::memory_order_relaxed) < fm::this_grid().num_blocks()) {
  }
  fm::device_atomic_ref<unsigned>(*met).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL cross_once(unsigned* before, unsigned* after) {
  fm::device_atomic_ref<unsigned>(*before).fetch_add(1, fm::memory_order_relaxed);
  fm::this_grid().sync();
  if (*before == fm::this_grid().size()) fm::device_atomic_ref<unsigned>(*after).fetch_add(1, fm::memory_order_relaxed);
}

}  // namespace

TEST_SUITE("grid") {
  TEST_CASE("size and ranks in one, two and three dimensions") {
    struct shape {
      fm::dim3 grid, block;
    };
    for (shape const& s :
         {shape{1, 1}, shape{7, 33}, shape{{3, 5}, {4, 8}}, shape{{2, 3, 4}, {3, 2, 5}}, shape{{1, 1, 6}, {1, 65}}}) {
      unsigned const blocks = s.grid.count(), threads = s.block.count();
      auto out = test::filled<position>(blocks * threads, 0xCD);
      auto ranks = test::filled<unsigned>(blocks, 0xCD);
      test::run({s.grid, s.block}, find_positions, out.data());
      std::vector<position> want;
      std::vector<unsigned> want_ranks;
      for (unsigned b = 0; b < blocks; ++b) {
        want_ranks.push_back(b);
        for (unsigned t = 0; t < threads; ++t)
          want.push_back({std::uint64_t{blocks} * threads, std::uint64_t{b} * threads + t, blocks, b, s.grid, 0});
      }
      CHECK(test::difference(out, want) == "");
      test::run({s.grid, s.block}, rank_of_block, ranks.data());
      CHECK(test::difference(ranks, want_ranks) == "");
    }
  }

  TEST_CASE("max_resident_blocks is positive and does not grow with what a block needs") {
    int const small = fm::max_resident_blocks(test::gpu(), meet, 32);
    int const large = fm::max_resident_blocks(test::gpu(), meet, test::gpu().info().max_threads_per_block);
    int const greedy = fm::max_resident_blocks(test::gpu(), meet, 32, test::gpu().info().shared_bytes_per_block);
    CHECK(large >= 1);
    CHECK(small >= large);
    CHECK(greedy >= 1);
    CHECK(small >= greedy);
    // What the storage of a grid barrier has room for.
    CHECK(static_cast<unsigned>(small) <= fm::backend::most_resident_blocks(test::gpu().info()));
  }

  TEST_CASE("as many blocks as are said to be resident can wait for each other") {
    for (unsigned threads : {1u, 32u, 256u, 1024u}) {
      CAPTURE(threads);
      unsigned const most = static_cast<unsigned>(fm::max_resident_blocks(test::gpu(), meet, threads));
      auto arrived = test::filled<unsigned>(1), met = test::filled<unsigned>(1);
      test::run_cooperative({most, threads}, meet, arrived.data(), met.data());
      CHECK(test::difference(met, std::vector<unsigned>{most}) == "");
    }
  }

  TEST_CASE("a cooperative launch of one block too many is refused before it starts, with both numbers") {
    for (unsigned threads : {32u, 1024u}) {
      CAPTURE(threads);
      int const most = fm::max_resident_blocks(test::gpu(), count_blocks, threads);
      auto blocks = test::filled<unsigned>(1);
      test::caught const e = test::error_of([&] {
        fm::launch_cooperative(test::queue(), {most + 1, threads}, count_blocks, blocks.data());
      });
      INFO(e.message);
      CHECK(e.code == fm::errc::too_many_blocks);
      CHECK(e.mentions(" " + std::to_string(most + 1) + " blocks"));
      CHECK(e.mentions(" " + std::to_string(most) + " can be resident"));
      test::queue().synchronize();
      CHECK(test::difference(blocks, std::vector<unsigned>{0}) == "");
      // The device goes on.
      test::run_cooperative({most, threads}, count_blocks, blocks.data());
      CHECK(test::difference(blocks, std::vector<unsigned>{static_cast<unsigned>(most)}) == "");
    }
  }

  TEST_CASE("dynamic shared memory counts for what is resident") {
    std::size_t const bytes = test::gpu().info().shared_bytes_per_block;
    int const most = fm::max_resident_blocks(test::gpu(), count_blocks, 32, bytes);
    auto blocks = test::filled<unsigned>(1);
    CHECK(test::error_of([&] {
            fm::launch_cooperative(test::queue(), {most + 1, 32, bytes}, count_blocks, blocks.data());
          }).code == fm::errc::too_many_blocks);
  }

  TEST_CASE("this_grid().sync() waits for every thread") {
    for (unsigned blocks : {1u, 2u, 5u}) {
      CAPTURE(blocks);
      auto before = test::filled<unsigned>(1), after = test::filled<unsigned>(1);
      test::run_cooperative({blocks, 96}, cross_once, before.data(), after.data());
      CHECK(test::difference(after, std::vector<unsigned>{blocks * 96}) == "");
    }
  }

  TEST_CASE("cooperative launches check their shape, too") {
    auto blocks = test::filled<unsigned>(1);
    unsigned const most = test::gpu().info().max_threads_per_block;
    CHECK(test::error_of([&] {
            fm::launch_cooperative(test::queue(), {0, 32}, count_blocks, blocks.data());
          }).code == fm::errc::invalid_argument);
    CHECK(test::error_of([&] {
            fm::launch_cooperative(test::queue(), {1, most + 1}, count_blocks, blocks.data());
          }).code == fm::errc::invalid_argument);
  }
}
