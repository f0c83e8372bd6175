// The host backend reports what kernels do wrong with barriers and wave operations, and what they throw.
#include <stdexcept>

#include "host_support.hpp"

namespace {

// The first threads run first: they are gone before the others come to the barrier.
FERMATA_KERNEL first_threads_leave(unsigned leavers) {
  if (fm::this_block().thread_rank() < leavers) return;
  fm::this_block().sync();
}

// The last threads leave when the others wait already.
FERMATA_KERNEL last_threads_leave(unsigned leavers) {
  if (fm::this_block().thread_rank() + leavers >= fm::this_block().size()) return;
  fm::this_block().sync();
}

FERMATA_KERNEL mixed_wave_operations(unsigned* out) {
  auto const wave = fm::this_wave();
  if (wave.lane() % 2 == 0)
    *out = wave.shfl(1u, 0);
  else
    *out = wave.ballot(true).count();
}

FERMATA_KERNEL mixed_sizes(unsigned* out) {
  if (fm::this_wave().lane() % 2 == 0)
    *out = fm::this_wave().shfl(1u, 0);
  else
    *out = fm::this_wave().shfl(static_cast<unsigned char>(1), 0);
}

FERMATA_KERNEL half_in_wave_half_at_barrier() {
  if (fm::this_wave().lane() % 2 == 0) fm::this_wave().sync();
  fm::this_block().sync();
}

FERMATA_KERNEL mixed_barriers() {
  if (fm::this_block().thread_rank() % 2 == 0)
    fm::this_block().sync();
  else
    fm::this_block().sync_count(true);
}

FERMATA_KERNEL grid_sync() { fm::this_grid().sync(); }

FERMATA_KERNEL grid_sync_without_last_block() {
  if (fm::this_grid().block_rank() + 1 == fm::this_grid().num_blocks()) return;
  fm::this_grid().sync();
}

FERMATA_KERNEL throws(int what) {
  fm::this_block().sync();
  if (fm::this_grid().block_rank() != 3 || fm::this_block().thread_rank() != 5) {
    // The others are in the middle of something.
    fm::this_block().sync();
    return;
  }
  if (what == 0) throw std::runtime_error("out of cheese");
  throw what;
}

FERMATA_KERNEL lanes_leave_one_by_one(unsigned* votes) {
  auto const wave = fm::this_wave();
  unsigned const lane = wave.lane();
  for (unsigned i = 0; i < lane; ++i) {
    unsigned const here = wave.ballot(true).count();
    if (lane + 1 == wave.size()) votes[i] = here;
    unsigned const sum = wave.reduce(1u, fm::plus{});
    if (sum != here) votes[i] = 1000;
  }
}

FERMATA_KERNEL add_one(unsigned* word) {
  fm::device_atomic_ref<unsigned>(*word).fetch_add(1, fm::memory_order_relaxed);
}

}  // namespace

TEST_CASE("host: a barrier that returned threads do not reach is misuse") {
  auto kernel = first_threads_leave;
  SUBCASE("they return first") {}
  SUBCASE("they return while the others wait") { kernel = last_threads_leave; }
  auto const error = test::error_of_kernel({2, 100}, kernel, 7u);
  CHECK(error.code == fm::errc::barrier_misuse);
  CHECK(error.mentions("exited thread at barrier"));
  CHECK(error.mentions("93 of 100 threads wait at this_block().sync()"));
  CHECK(error.mentions("7 threads have returned"));
}

TEST_CASE("host: lanes of a wave in different operations are misuse") {
  auto out = test::filled<unsigned>(1);
  test::caught error;
  SUBCASE("shuffle and ballot") {
    error = test::error_of_kernel({1, 64}, mixed_wave_operations, out.data());
    CHECK(error.mentions("this_wave().shfl()"));
  }
  SUBCASE("sizes") { error = test::error_of_kernel({1, 64}, mixed_sizes, out.data()); }
  SUBCASE("wave and block") {
    error = test::error_of_kernel({1, 64}, half_in_wave_half_at_barrier);
    CHECK(error.mentions("32 of 64 threads wait at this_block().sync()"));
    CHECK(error.mentions("live lanes of wave 0 wait at this_wave().sync()"));
  }
  SUBCASE("two barriers") {
    error = test::error_of_kernel({1, 64}, mixed_barriers);
    CHECK(error.mentions("this_block().sync()"));
  }
  CHECK(error.code == fm::errc::barrier_misuse);
  CHECK(error.mentions("block (0, 0, 0)"));
}

TEST_CASE("host: a grid barrier needs a cooperative launch and all blocks") {
  auto const plain = test::error_of_kernel({2, 32}, grid_sync);
  CHECK(plain.code == fm::errc::barrier_misuse);
  CHECK(plain.mentions("launch_cooperative"));

  test::run_cooperative({2, 32}, grid_sync);

  auto const missing = test::error_of([] { test::run_cooperative({4, 32}, grid_sync_without_last_block); });
  CHECK(missing.code == fm::errc::barrier_misuse);
  CHECK(missing.mentions("3 blocks wait at this_grid().sync()"));
  CHECK(missing.mentions("1 of 4 blocks have returned"));
}

TEST_CASE("host: what a kernel throws arrives at synchronize(), once, and the stream goes on") {
  auto const known = test::error_of_kernel({8, 64}, throws, 0);
  CHECK(known.code == fm::errc::kernel_failed);
  CHECK(known.mentions("out of cheese"));
  CHECK(known.mentions("block (3, 0, 0), thread (5, 0, 0)"));

  auto const unknown = test::error_of_kernel({8, 64}, throws, 1);
  CHECK(unknown.code == fm::errc::kernel_failed);

  auto word = test::filled<unsigned>(1);
  fm::launch(test::queue(), {8, 64}, throws, 0);
  fm::launch(test::queue(), {8, 64}, add_one, word.data());
  CHECK(test::error_of([] { test::queue().synchronize(); }).code == fm::errc::kernel_failed);
  CHECK(test::downloaded(word)[0] == 512);

  // A download waits for the kernel, and so tells what became of it.
  fm::launch(test::queue(), {8, 64}, throws, 0);
  CHECK(test::error_of([&] { test::downloaded(word); }).code == fm::errc::kernel_failed);
}

TEST_CASE("host: device::synchronize() tells the errors of all streams") {
  fm::stream other(test::gpu());
  fm::launch(other, {8, 64}, throws, 0);
  CHECK(test::error_of([] { test::gpu().synchronize(); }).code == fm::errc::kernel_failed);
  test::gpu().synchronize();
  other.synchronize();
}

TEST_CASE("host: lanes that have returned are missing in no wave operation") {
  unsigned const width = test::wave_size();
  auto votes = test::filled<unsigned>(width);
  test::run({1, width}, lanes_leave_one_by_one, votes.data());
  auto const got = test::downloaded(votes);
  for (unsigned i = 0; i + 1 < width; ++i) CHECK(got[i] == width - 1 - i);
}
