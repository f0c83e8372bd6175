// One function for all groups, and which type is which kind of group.
#include "support.hpp"

#include <fermata/group.hpp>
#include <fermata/tile.hpp>

namespace {

template <fm::group Group>
FERMATA_DEVICE std::uint64_t place_in(Group const& group) {
  group.sync();
  return static_cast<std::uint64_t>(group.size()) * 1000000 + static_cast<std::uint64_t>(group.thread_rank());
}

// The sum over the group, by its own scan: the last rank hands it to all.
template <fm::collective_group Group>
FERMATA_DEVICE unsigned sum_in(Group const& group, unsigned value) {
  unsigned const upto = group.inclusive_scan(value, fm::plus{});
  return group.broadcast(upto, group.size() - 1);
}

static_assert(fm::group<fm::wave_group> && fm::collective_group<fm::wave_group>);
static_assert(fm::group<fm::lane_group> && fm::collective_group<fm::lane_group>);
static_assert(fm::group<fm::tile<8>> && fm::collective_group<fm::tile<8>>);
static_assert(fm::group<fm::tile<256>> && fm::collective_group<fm::tile<256>>);
static_assert(fm::group<fm::block_group> && !fm::collective_group<fm::block_group>);
static_assert(fm::group<fm::grid_group> && !fm::collective_group<fm::grid_group>);
static_assert(!fm::group<fm::lane_mask> && !fm::group<int>);

struct answers {
  std::uint64_t wave, odd, tile, wide, block, grid;
  unsigned wave_sum, odd_sum, tile_sum, wide_sum;
};

FERMATA_KERNEL ask_everybody(answers* out) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
  auto const wave = fm::this_wave();
  auto const block = fm::this_block();
  auto const tile = fm::tiled_partition<8>(block);
  auto const wide = fm::tiled_partition<128>(block, scratch);
  auto const half = wave.subset(wave.match_any(wave.lane() % 2));
  unsigned const value = static_cast<unsigned>(fm::this_grid().thread_rank());
  out[value] = {place_in(wave),      place_in(half),      place_in(tile),
                place_in(wide),      place_in(block),     place_in(fm::this_grid()),
                sum_in(wave, value), sum_in(half, value), sum_in(tile, value),
                sum_in(wide, value)};
}

}  // namespace

TEST_SUITE("group") {
  TEST_CASE("generic functions over every group") {
    unsigned const blocks = 2, threads = 256, width = test::wave_size();
    auto out = test::filled<answers>(blocks * threads, 0xCD);
    test::run_cooperative({blocks, threads}, ask_everybody, out.data());
    std::vector<answers> want;
    for (unsigned i = 0; i < blocks * threads; ++i) {
      unsigned const t = i % threads;
      auto const place = [](std::uint64_t size, std::uint64_t rank) { return size * 1000000 + rank; };
      // Of `size` threads with numbers a step apart, from the first on.
      auto const sum = [](unsigned first, unsigned size, unsigned step) {
        return size * first + step * (size * (size - 1) / 2);
      };
      unsigned const wave = i / width * width;
      answers a{};
      a.wave = place(width, t % width);
      a.odd = place(width / 2, t % width / 2);
      a.tile = place(8, t % 8);
      a.wide = place(128, t % 128);
      a.block = place(threads, t);
      a.grid = place(blocks * threads, i);
      a.wave_sum = sum(wave, width, 1);
      a.odd_sum = sum(wave + t % 2, width / 2, 2);
      a.tile_sum = sum(i / 8 * 8, 8, 1);
      a.wide_sum = sum(i / 128 * 128, 128, 1);
      want.push_back(a);
    }
    CHECK(test::difference(out, want) == "");
  }
}
