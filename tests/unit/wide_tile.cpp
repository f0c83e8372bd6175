// Tiles wider than a wave: every size, all tiles of a block at once and some of them alone.
#include "group_cells.hpp"

#include <fermata/tile.hpp>

namespace {

FERMATA_FN bool tile_takes_part(unsigned tile, unsigned p, unsigned tiles) { return p < 5 || tile == p % tiles; }

// The tile is made once, by the whole block; a kernel holds it.
template <unsigned N>
struct wide_tiles {
  static constexpr bool knows_its_end = true, has_sets = false;
  unsigned count;

  struct made {
    static constexpr bool knows_its_end = true, has_sets = false;
    fm::tile<N> tile;
    unsigned count;
    FERMATA_DEVICE bool takes_part(unsigned p) const { return tile_takes_part(tile.meta_group_rank(), p, count); }
    FERMATA_DEVICE fm::tile<N> make(unsigned) const { return tile; }
  };
};

template <class T, unsigned N>
FERMATA_KERNEL of_block(wide_tiles<N> maker, test::cells<T>* out, test::facts* told, unsigned rounds) {
  FERMATA_SHARED(scratch, fm::tile_scratch<N, 1024>);
  auto const tile = fm::tiled_partition<N>(fm::this_block(), scratch);
  test::call_all<T>(typename wide_tiles<N>::made{tile, maker.count}, out, told, rounds);
}

template <class T, unsigned N>
void check_wide(unsigned threads) {
  unsigned const count = threads / N;
  test::check_collectives<T, wide_tiles<N>>(
      fm::dim3(threads), wide_tiles<N>{count}, 9,
      [count](unsigned thread, unsigned p) {
        std::vector<unsigned> result;
        if (tile_takes_part(thread / N, p, count))
          for (unsigned r = 0; r < N; ++r) result.push_back(thread / N * N + r);
        return result;
      },
      of_block<T, N>);
}

// Tiles that meet differently often, and whose threads read what the others wrote; the scratch is used twice.
FERMATA_KERNEL pass_on(unsigned* wrong, unsigned* places, unsigned rounds) {
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 512>);
  FERMATA_SHARED(slots, unsigned[512]);
  unsigned const thread = fm::this_block().thread_rank();
  unsigned mismatches = 0;
  for (unsigned again = 0; again < 2; ++again) {
    auto const tile = fm::tiled_partition<128>(fm::this_block(), scratch);
    unsigned const first = thread - tile.thread_rank();
    for (unsigned round = 0; round < rounds * (tile.meta_group_rank() + 1); ++round) {
      slots[thread] = round * 512 + thread;
      tile.sync();
      unsigned const other = first + (tile.thread_rank() + 61 + round) % 128;
      mismatches += slots[other] != round * 512 + other;
      tile.sync();
    }
    places[fm::this_grid().thread_rank()] = tile.meta_group_rank() * 1000 + tile.meta_group_size();
  }
  wrong[fm::this_grid().thread_rank()] = mismatches;
}

FERMATA_KERNEL sums(std::uint32_t const* values, std::uint32_t* inclusive, std::uint32_t* exclusive) {
  FERMATA_SHARED(scratch, fm::tile_scratch<256, 512>);
  auto const tile = fm::tiled_partition<256>(fm::this_block(), scratch);
  unsigned const thread = fm::this_block().thread_rank();
  inclusive[thread] = tile.inclusive_scan(values[thread]);
  exclusive[thread] = tile.exclusive_scan(values[thread]);
}

}  // namespace

TEST_SUITE("tile") {
  TEST_CASE("wide tiles of every size") {
    check_wide<std::uint32_t, 64>(64);
    check_wide<std::uint32_t, 64>(256);
    check_wide<std::uint32_t, 128>(384);
    check_wide<std::uint32_t, 256>(512);
    check_wide<std::uint32_t, 512>(512);
    check_wide<std::uint32_t, 1024>(1024);
  }

  TEST_CASE("wide tiles, values of other sizes") {
    check_wide<std::uint8_t, 128>(256);
    check_wide<test::words20, 128>(256);
  }

  TEST_CASE("sync of a wide tile orders what its threads do") {
    unsigned const blocks = 2, threads = 512;
    auto wrong = test::filled<unsigned>(blocks * threads, 0xCD);
    auto places = test::filled<unsigned>(blocks * threads, 0xCD);
    test::run({blocks, threads}, pass_on, wrong.data(), places.data(), 20u);
    CHECK(test::difference(wrong, std::vector<unsigned>(blocks * threads, 0)) == "");
    std::vector<unsigned> want;
    for (unsigned t = 0; t < blocks * threads; ++t) want.push_back(t % threads / 128 * 1000 + 4);
    CHECK(test::difference(places, want) == "");
  }

  TEST_CASE("sums over a wide tile") {
    unsigned const threads = 512;
    std::vector<std::uint32_t> values, inclusive, exclusive;
    for (unsigned t = 0; t < threads; ++t) {
      values.push_back(test::mix(t));
      exclusive.push_back(t % 256 == 0 ? 0 : inclusive.back());
      inclusive.push_back(exclusive.back() + values.back());
    }
    auto input = test::uploaded(values), a = test::filled<std::uint32_t>(threads),
         b = test::filled<std::uint32_t>(threads);
    test::run({1, threads}, sums, input.data(), a.data(), b.data());
    CHECK(test::difference(a, inclusive) == "");
    CHECK(test::difference(b, exclusive) == "");
  }
}
