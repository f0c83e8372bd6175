// The host backend reports barriers that nobody can complete, and who waits for them.
#include "host_support.hpp"

namespace {

using block_barrier = fm::barrier<fm::thread_scope_block>;
using device_barrier = fm::barrier<fm::thread_scope_device>;

// One arrival more is expected than comes.
FERMATA_KERNEL one_arrival_too_few() {
  FERMATA_SHARED(barrier, block_barrier);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) barrier.init(block.size() + 1);
  block.sync();
  barrier.arrive_and_wait();
}

FERMATA_KERNEL never_initialised() {
  FERMATA_SHARED(barrier, block_barrier);
  barrier.arrive_and_wait();
}

// Lane 0 waits for arrivals that the other lanes of its wave make later.
FERMATA_KERNEL wait_for_own_wave() {
  FERMATA_SHARED(barrier, block_barrier);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) barrier.init(block.size());
  block.sync();
  if (fm::this_wave().lane() == 0) barrier.arrive_and_wait();
  fm::this_wave().sync();
  if (fm::this_wave().lane() != 0) (void)barrier.arrive();
}

// Half of each wave meets here, half there.
FERMATA_KERNEL meet_in_two_branches(bool two_barriers) {
  FERMATA_SHARED(barriers, block_barrier[2]);
  auto const block = fm::this_block();
  bool const lower = fm::this_wave().lane() < fm::this_wave().size() / 2;
  if (block.thread_rank() < 2) barriers[block.thread_rank()].init(two_barriers ? block.size() / 2 : block.size());
  block.sync();
  for (int round = 0; round < 3; ++round) barriers[two_barriers && !lower].arrive_and_wait();
  if (lower)
    barriers[0].arrive_and_wait();
  else
    barriers[two_barriers].arrive_and_wait();
}

// The last block does not come.
FERMATA_KERNEL all_blocks_but_one(device_barrier* barrier) {
  if (fm::this_grid().thread_rank() == 0) barrier->init(fm::this_grid().num_blocks());
  fm::this_grid().sync();
  if (fm::this_grid().block_rank() + 1 == fm::this_grid().num_blocks()) return;
  if (fm::this_block().thread_rank() == 0) barrier->arrive_and_wait();
}

enum class broken { arrive_twice, wait_without, sync_between, block_wait_for_cluster, leave };

// Thread 3 breaks a pair of arrive and wait.
FERMATA_KERNEL break_pair(broken how) {
  auto const block = fm::this_block();
  auto const token = block.arrive();
  if (block.thread_rank() == 3) switch (how) {
      case broken::arrive_twice:
        (void)block.arrive();
        break;
      case broken::wait_without:
        block.wait(token);
        block.wait(token);
        break;
      case broken::sync_between:
        block.sync();
        break;
      case broken::block_wait_for_cluster:
        block.wait(token);
        (void)fm::this_cluster().arrive();
        block.wait(token);
        break;
      case broken::leave:
        return;
    }
  block.wait(token);
}

// In the cluster of blocks 4 to 7 two blocks do not come.
FERMATA_KERNEL incomplete_cluster() {
  unsigned const block = fm::this_grid().block_rank();
  if (block != 5 && block != 6) fm::this_cluster().sync();
}

// Block 0 waits for the cluster, block 1 for a word that block 0 would set behind it.
FERMATA_KERNEL wait_across_cluster(unsigned* word) {
  if (fm::this_cluster().rank() == 0) {
    fm::this_cluster().sync();
    fm::device_atomic_ref<unsigned>(*word).store(1, fm::memory_order_release);
  } else {
    fm::device_atomic_ref<unsigned>(*word).wait(0, fm::memory_order_acquire);
    fm::this_cluster().sync();
  }
}

FERMATA_KERNEL cluster_rounds(unsigned* word) {
  for (int round = 0; round < 20; ++round) fm::this_cluster().sync();
  if (fm::this_block().thread_rank() == 0)
    fm::device_atomic_ref<unsigned>(*word).fetch_add(1, fm::memory_order_relaxed);
}

}  // namespace

TEST_CASE("host: a barrier that lacks an arrival is a deadlock that names the waiters") {
  auto const error = test::error_of_kernel({2, 70}, one_arrival_too_few);
  INFO(error.message);
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("block (0, 0, 0), wave 0, lane 0: waits for the 8-byte word at 0x"));
  CHECK(error.mentions("(block scope)"));
  CHECK(error.mentions("last seen as 0x47000001"));  // 71 expected, one lacking
  CHECK(error.mentions("and 132 more"));
}

TEST_CASE("host: a barrier that was never initialised shows the filling of shared memory") {
  auto const error = test::error_of_kernel({1, 1}, never_initialised);
  INFO(error.message);
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("last seen as 0xcbcbcbcbcbcbcb"));
}

TEST_CASE("host: a lane that waits for later arrivals of its own wave is a deadlock") {
  unsigned const width = test::wave_size();
  auto const error = test::error_of_kernel({1, width}, wait_for_own_wave);
  INFO(error.message);
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("wave 0, lane 0: waits for the 8-byte word"));
  CHECK(error.mentions(std::to_string(width - 1) + " of the " + std::to_string(width) +
                       " live lanes of wave 0 wait at this_wave().sync()"));
}

TEST_CASE("host: lanes of a wave that meet in two branches are misuse, for on AMD they never do") {
  unsigned const width = test::wave_size();
  auto const error = test::error_of_kernel({1, 2 * width}, meet_in_two_branches, false);
  INFO(error.message);
  CHECK(error.code == fm::errc::barrier_misuse);
  CHECK(error.mentions("wave 0 waits for one phase of a barrier in two places, lane 0 at "));
  CHECK(error.mentions(" and lane " + std::to_string(width / 2) + " at "));
  CHECK(error.mentions("barriers.cpp:"));
  test::run({1, 2 * width}, meet_in_two_branches, true);
}

TEST_CASE("host: a barrier between blocks that one block does not reach is a deadlock") {
  fm::buffer<device_barrier> barrier(test::gpu(), 1);
  auto const error = test::error_of([&] { test::run_cooperative({4, 32}, all_blocks_but_one, barrier.data()); });
  INFO(error.message);
  CHECK(error.code == fm::errc::deadlock);
  for (char const* block : {"(0, 0, 0)", "(1, 0, 0)", "(2, 0, 0)"})
    CHECK(error.mentions("block " + std::string(block) + ", wave 0, lane 0: waits for the 8-byte word"));
  CHECK(error.mentions("(device scope), last seen as 0x4000001"));
}

TEST_CASE("host: each arrival at the block's barrier has its wait") {
  struct { broken how; char const* message; } const cases[] = {
      {broken::arrive_twice, "arrives again between this_block().arrive() and its wait()"},
      {broken::wait_without, "calls this_block().wait() without an arrival"},
      {broken::sync_between, "calls a barrier between this_block().arrive() and its wait()"},
      {broken::block_wait_for_cluster, "calls this_block().wait() between this_cluster().arrive() and its wait()"},
      {broken::leave, "returns from the kernel between this_block().arrive() and its wait()"}};
  for (auto const& c : cases) {
    // Alone where it has to get through a barrier before it goes wrong.
    bool const alone = c.how == broken::wait_without || c.how == broken::block_wait_for_cluster;
    auto const error = test::error_of_kernel({1, alone ? fm::dim3(4) : fm::dim3(40)}, break_pair, c.how);
    INFO(error.message);
    CHECK(error.code == fm::errc::barrier_misuse);
    CHECK(error.mentions("block (0, 0, 0)"));
    CHECK(error.mentions(std::string("thread (3, 0, 0) ") + c.message));
  }
}

TEST_CASE("host: a cluster of which blocks are missing at its barrier is misuse") {
  auto const error = test::error_of_kernel({12, 33, 0, 4}, incomplete_cluster);
  INFO(error.message);
  CHECK(error.code == fm::errc::barrier_misuse);
  CHECK(error.mentions("2 of the 4 blocks of the cluster of block (4, 0, 0) wait at its barrier, but 2 have returned"));
}

TEST_CASE("host: a deadlock across a cluster says who waits for what") {
  auto word = test::filled<unsigned>(1);
  auto const error = test::error_of_kernel({2, 4, 0, 2}, wait_across_cluster, word.data());
  INFO(error.message);
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("block (1, 0, 0), wave 0, lane 0: waits for the 4-byte word"));
  CHECK(error.mentions("block (0, 0, 0): 4 of 4 threads wait at the barrier of this_cluster()"));
}

TEST_CASE("host: clusters need as many resident blocks as they have, and no more") {
  for (char const* resident : {"1", "3", "4", "5", "7"}) {
    CAPTURE(resident);
    test::with_variable const variable("FERMATA_HOST_RESIDENT_BLOCKS", resident);
    auto word = test::filled<unsigned>(1);
    if (std::stoul(resident) < 4) {
      auto const error =
          test::error_of([&] { fm::launch(test::queue(), {40, 33, 0, 4}, cluster_rounds, word.data()); });
      CHECK(error.code == fm::errc::too_many_blocks);
      CHECK(error.mentions("the 4 blocks of a cluster"));
      CHECK(error.mentions("FERMATA_HOST_RESIDENT_BLOCKS"));
    } else {
      test::run({40, 33, 0, 4}, cluster_rounds, word.data());
    }
    CHECK(test::downloaded(word)[0] == (std::stoul(resident) < 4 ? 0u : 40u));
    CHECK(fm::max_resident_blocks(test::gpu(), cluster_rounds, 33, 0, 4) == (std::stoi(resident) / 4 * 4));
  }
}
