// The host backend reports what kernels do wrong with groups of lanes, and never hangs on them.
#include <fermata/tile.hpp>
#include <fermata/wave_serialize.hpp>

#include "host_support.hpp"

namespace {

FERMATA_DEVICE fm::lane_mask lanes(std::uint64_t bits) { return fm::lane_mask::from_uint64(bits); }

// The lanes of `callers` form a group that is said to be those of `named`.
FERMATA_KERNEL call_with_mask(std::uint64_t callers, std::uint64_t named, unsigned* out) {
  if ((callers >> fm::this_wave().lane()) & 1)
    out[fm::this_wave().lane()] = fm::this_wave().subset(lanes(named)).reduce(1u, fm::plus{});
}

// The missing lane waits for a word that nobody writes.
FERMATA_KERNEL named_lane_waits_elsewhere(unsigned* word) {
  if (fm::this_wave().lane() == 3)
    fm::device_atomic_ref<unsigned>(*word).wait(0, fm::memory_order_acquire);
  else
    fm::this_wave().sync();
}

// As above, with a group that names the lane.
FERMATA_KERNEL group_waits_for_waiter(unsigned* word) {
  if (fm::this_wave().lane() == 3)
    fm::device_atomic_ref<unsigned>(*word).wait(0, fm::memory_order_acquire);
  else if (fm::this_wave().lane() < 8)
    fm::this_wave().subset(lanes(0xFF)).sync();
}

FERMATA_KERNEL different_masks(std::uint64_t even, std::uint64_t odd) {
  fm::this_wave().subset(lanes(fm::this_wave().lane() % 2 == 0 ? even : odd)).sync();
}

FERMATA_KERNEL group_and_wave() {
  if (fm::this_wave().lane() < 4)
    fm::this_wave().subset(lanes(0xF)).sync();
  else
    fm::this_wave().sync();
  fm::this_wave().sync();
}

FERMATA_KERNEL group_of_all_and_wave() {
  auto const everybody = fm::lane_mask::all(fm::this_wave().live());
  if (fm::this_wave().lane() < 4)
    fm::this_wave().subset(everybody).sync();
  else
    fm::this_wave().sync();
}

FERMATA_KERNEL different_operations(unsigned* out) {
  auto const group = fm::this_wave().subset(lanes(0xFF));
  unsigned const lane = fm::this_wave().lane();
  if (lane < 4)
    out[lane] = group.any(true);
  else if (lane < 8)
    out[lane] = group.shfl(lane, 0);
}

FERMATA_KERNEL tile_beyond_the_block() { fm::tiled_partition<32>(fm::this_block()).sync(); }

FERMATA_KERNEL half_a_wide_tile(unsigned callers) {
  FERMATA_SHARED(scratch, fm::tile_scratch<256, 256>);
  auto const tile = fm::tiled_partition<256>(fm::this_block(), scratch);
  if (fm::this_block().thread_rank() < callers) tile.sync();
}

// Smaller groups inside larger ones: nobody waits in vain.
FERMATA_KERNEL nested_groups(unsigned* out) {
  auto const wave = fm::this_wave();
  auto const low = wave.subset(lanes(0xFFFF));
  unsigned const lane = wave.lane();
  unsigned sum = 0;
  if (lane < 16) {
    if (lane < 8) sum += fm::tiled_partition<8>(wave).reduce(1u, fm::plus{});
    if (lane % 2 == 0) sum += wave.subset(lanes(0x5555)).reduce(100u, fm::plus{});
    sum += low.reduce(10000u, fm::plus{});
  }
  wave.sync();
  out[lane] = sum;
}

struct counts {
  unsigned left, right;
};

// Two branches, in different lines; and lanes that wait for something else while the others ask who is here.
FERMATA_KERNEL who_is_here(counts* out, unsigned* word) {
  unsigned const lane = fm::this_wave().lane();
  counts c{0, 0};
  if (lane < 5)
    c.left = fm::active_lanes().size();
  else if (lane < 12)
    c.right = fm::active_lanes().size();
  else if (lane == 12)
    fm::device_atomic_ref<unsigned>(*word).wait(0, fm::memory_order_acquire);
  if (lane == 0) fm::device_atomic_ref<unsigned>(*word).store(1, fm::memory_order_release);
  out[lane] = c;
}

// Lanes that come late, each after some work that lets others run. They look at the same unchanged word again and
// again, but as they change another one in between, that is no wait.
FERMATA_KERNEL late_lanes(unsigned* sizes, unsigned* words) {
  unsigned const lane = fm::this_wave().lane();
  for (unsigned i = 0; i < 20 * lane; ++i)
    if (fm::device_atomic_ref<unsigned>(words[1]).load(fm::memory_order_relaxed) == 0)
      fm::device_atomic_ref<unsigned>(words[0]).fetch_add(1, fm::memory_order_relaxed);
  sizes[lane] = fm::active_lanes().size();
}

// Every lane writes down its turn, with plain accesses.
FERMATA_KERNEL line_up(unsigned* order) {
  FERMATA_SHARED(length, unsigned);
  if (fm::this_wave().lane() == 0) length = 0;
  fm::this_wave().sync();
  fm::wave_serialize([&] {
    unsigned const place = length;
    fm::device_atomic_ref<unsigned>(order[place]).exchange(fm::this_wave().lane(), fm::memory_order_relaxed);
    length = place + 1;
  });
}

// The same scratch for one partition after the other, while waves of the tile before still wait.
FERMATA_KERNEL partition_again(unsigned* sums) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
  unsigned sum = 0;
  for (unsigned i = 0; i < 20; ++i) {
    auto const tile = fm::tiled_partition<128>(fm::this_block(), scratch);
    sum = tile.reduce(sum % 1000 + tile.thread_rank(), fm::plus{});
    tile.sync();
  }
  sums[fm::this_block().thread_rank()] = sum;
}

FERMATA_KERNEL keep_the_lock(unsigned* lock) {
  fm::wave_serialize([&] {
    unsigned free = 0;
    while (!fm::device_atomic_ref<unsigned>(*lock).compare_exchange_weak(free, 1u, fm::memory_order_acquire,
                                                                         fm::memory_order_relaxed))
      free = 0;
  });
}

}  // namespace

TEST_CASE("host: a group whose lanes do not all call is misuse") {
  test::with_variable const in_order("FERMATA_HOST_SCHEDULE", "fair");  // who comes first is told differently
  auto out = test::filled<unsigned>(64);
  test::caught error;
  SUBCASE("one of them never comes, and returns") {
    error = test::error_of_kernel({1, 32}, call_with_mask, 0x7Fu, 0xFFu, out.data());
    CHECK(error.mentions("group of lanes 0-7"));
    CHECK(error.mentions("has returned"));
  }
  SUBCASE("it had returned before") {
    error = test::error_of_kernel({1, 32}, call_with_mask, 0xFEu, 0xFFu, out.data());
    CHECK(error.mentions("lane 1 of wave 0 calls reduce()"));
    CHECK(error.mentions("lanes 0 have returned"));
  }
  SUBCASE("the caller is not named") {
    error = test::error_of_kernel({1, 32}, call_with_mask, 0x1FFu, 0x1FEu, out.data());
    CHECK(error.mentions("lane 0 of wave 0"));
    CHECK(error.mentions("the caller is not one of them"));
  }
  SUBCASE("nobody is named") {
    error = test::error_of_kernel({1, 32}, call_with_mask, 0x1u, 0x0u, out.data());
    CHECK(error.mentions("group of lanes none"));
  }
  SUBCASE("the lanes do not exist") {
    error = test::error_of_kernel({1, 20}, call_with_mask, 0x1u, 0x400001u, out.data());
    CHECK(error.mentions("the wave has no lanes 22"));
  }
  SUBCASE("a tile that the block cuts off") {
    error = test::error_of_kernel({1, 40}, tile_beyond_the_block);
    CHECK(error.mentions("a block that is a multiple of its size"));
  }
  CHECK(error.code == fm::errc::barrier_misuse);
  CHECK(error.mentions("block (0, 0, 0)"));
}

TEST_CASE("host: lanes that wait for each other in different groups or operations are misuse") {
  auto out = test::filled<unsigned>(64);
  test::caught error;
  SUBCASE("masks that overlap") {
    error = test::error_of_kernel({1, 32}, different_masks, 0x55555557u, 0xAAAAAAABu);
    CHECK(error.mentions("the same group"));
  }
  SUBCASE("one names the other") {
    // The even lanes wait for lane 1, which waits for the odd ones and is then gone.
    error = test::error_of_kernel({1, 32}, different_masks, 0x55555557u, 0xAAAAAAAAu);
    CHECK(error.mentions("has returned"));
  }
  SUBCASE("operations") {
    error = test::error_of_kernel({1, 32}, different_operations, out.data());
    CHECK(error.mentions("shfl() of the group of lanes 0-7"));
    CHECK(error.mentions("any() of the group of lanes 0-7"));
  }
  SUBCASE("a group of all lanes, and the wave") {
    error = test::error_of_kernel({1, 24}, group_of_all_and_wave);
    CHECK(error.mentions("this_wave().sync()"));
  }
  CHECK(error.code == fm::errc::barrier_misuse);
}

TEST_CASE("host: lanes that wait for a lane that waits for a word are a deadlock") {
  auto word = test::filled<unsigned>(1);
  auto kernel = named_lane_waits_elsewhere;
  SUBCASE("the wave") {}
  SUBCASE("a group") { kernel = group_waits_for_waiter; }
  auto const error = test::error_of_kernel({1, 32}, kernel, word.data());
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("lane 3: waits for the 4-byte word"));
  if (kernel == group_waits_for_waiter) CHECK(error.mentions("lanes 0-2, 4-7 of wave 0 wait at sync() of the group"));
}

TEST_CASE("host: a wide tile that lacks waves ends as a report") {
  auto const error = test::error_of_kernel({1, 256}, half_a_wide_tile, 128u);
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("block scope"));
}

TEST_CASE("host: smaller groups finish while larger ones wait") {
  auto out = test::filled<unsigned>(64);
  test::run({1, 32}, nested_groups, out.data());
  auto const got = test::downloaded(out);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned want = lane < 16 ? 160000 : 0;
    if (lane < 8) want += 8;
    if (lane < 16 && lane % 2 == 0) want += 800;
    CHECK(got[lane] == want);
  }
  test::run({1, 2 * test::wave_size()}, group_and_wave);
}

TEST_CASE("host: the lanes that are here are those of the same line, when no other can come") {
  auto out = test::filled<counts>(64);
  auto words = test::filled<unsigned>(2);
  test::run({1, 20}, who_is_here, out.data(), words.data());
  auto const got = test::downloaded(out);
  for (unsigned lane = 0; lane < 20; ++lane) {
    CHECK(got[lane].left == (lane < 5 ? 5 : 0));
    CHECK(got[lane].right == (lane >= 5 && lane < 12 ? 7 : 0));
  }

  auto sizes = test::filled<unsigned>(64);
  test::run({1, test::wave_size()}, late_lanes, sizes.data(), words.data());
  auto const all = test::downloaded(sizes);
  for (unsigned lane = 0; lane < test::wave_size(); ++lane) CHECK(all[lane] == test::wave_size());
}

TEST_CASE("host: whoever the scheduler prefers, lanes take turns in their order, and tiles meet") {
  test::with_variable const random("FERMATA_HOST_SCHEDULE", "random");
  for (unsigned seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    test::with_variable const chosen("FERMATA_HOST_SEED", std::to_string(seed));
    unsigned const width = test::wave_size();
    auto order = test::filled<unsigned>(width, 0xCD);
    test::run({1, width}, line_up, order.data());
    std::vector<unsigned> turns;
    for (unsigned lane = 0; lane < width; ++lane) turns.push_back(lane);
    CHECK(test::difference(order, turns) == "");

    auto sums = test::filled<unsigned>(256, 0xCD);
    test::run({1, 256}, partition_again, sums.data());
    unsigned sum = 0;
    for (unsigned i = 0; i < 20; ++i) sum = sum % 1000 * 128 + 127 * 128 / 2;
    CHECK(test::difference(sums, std::vector<unsigned>(256, sum)) == "");
  }
}

TEST_CASE("host: a lock that a lane does not give back is a deadlock of the next one") {
  auto lock = test::filled<unsigned>(1);
  auto const error = test::error_of_kernel({1, 32}, keep_the_lock, lock.data());
  CHECK(error.code == fm::errc::deadlock);
  CHECK(error.mentions("lane 1: reads again and again the 4-byte word"));
}
