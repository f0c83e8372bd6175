// Tiles of every size at every place of the wave: all of them at once, and each one alone.
#include "group_cells.hpp"

#include <fermata/tile.hpp>

namespace {

// In round p all tiles take part, or only every p-th one, or only one.
FERMATA_FN bool tile_takes_part(unsigned tile, unsigned p, unsigned tiles) {
  if (p < 8) return true;
  if (p < 16) return tile % 2 == p % 2;
  return tile == (p - 16) % tiles;
}

template <unsigned N, class Parent>
struct tiles {
  static constexpr bool knows_its_end = true, has_sets = true;
  unsigned count;

  FERMATA_DEVICE static auto parent() {
    if constexpr (std::is_same_v<Parent, fm::wave_group>)
      return fm::this_wave();
    else
      return fm::this_block();
  }
  FERMATA_DEVICE auto make(unsigned) const { return fm::tiled_partition<N>(parent()); }
  FERMATA_DEVICE bool takes_part(unsigned p) const {
    return tile_takes_part(fm::this_block().thread_rank() / N, p, count);
  }
};

template <class T, unsigned N, class Parent = fm::block_group>
void check_tiles(unsigned threads) {
  unsigned const count = threads / N;
  test::check_collectives<T>(fm::dim3(threads), tiles<N, Parent>{count}, 16 + count,
                             [count](unsigned thread, unsigned p) {
                               std::vector<unsigned> result;
                               if (tile_takes_part(thread / N, p, count))
                                 for (unsigned r = 0; r < N; ++r) result.push_back(thread / N * N + r);
                               return result;
                             });
}

struct places {
  unsigned size, rank, meta_rank, meta_size, in_wave, waves;
};

template <unsigned N>
FERMATA_KERNEL where_am_i(places* out) {
  auto const of_block = fm::tiled_partition<N>(fm::this_block());
  auto const of_wave = fm::tiled_partition<N>(fm::this_wave());
  out[fm::this_block().thread_rank()] = {
      of_block.size(),           of_block.thread_rank(),   of_block.meta_group_rank(), of_block.meta_group_size(),
      of_wave.meta_group_rank(), of_wave.meta_group_size()};
}

template <unsigned N>
void check_places(fm::dim3 const& shape) {
  unsigned const threads = shape.count(), width = test::wave_size();
  auto out = test::filled<places>(threads, 0xCD);
  test::run({1, shape}, where_am_i<N>, out.data());
  std::vector<places> want;
  for (unsigned t = 0; t < threads; ++t) {
    unsigned const live = std::min(width, threads - t / width * width);
    want.push_back({N, t % N, t / N, threads / N, t % width / N, live / N});
  }
  CHECK(test::difference(out, want) == "");
}

template <class T>
FERMATA_KERNEL sums_of_8(T const* values, T* inclusive, T* exclusive, T* total, T* greatest) {
  unsigned const thread = fm::this_block().thread_rank();
  auto const tile = fm::tiled_partition<8>(fm::this_block());
  inclusive[thread] = tile.inclusive_scan(values[thread]);
  exclusive[thread] = tile.exclusive_scan(values[thread]);
  total[thread] = tile.reduce(values[thread], fm::plus{});
  greatest[thread] = tile.reduce(values[thread], fm::maximum{});
}

}  // namespace

TEST_SUITE("tile") {
  TEST_CASE("every size, at every place") {
    unsigned const threads = 2 * test::wave_size();
    check_tiles<std::uint32_t, 1>(threads);
    check_tiles<std::uint32_t, 2>(threads);
    check_tiles<std::uint32_t, 4>(threads);
    check_tiles<std::uint32_t, 8>(threads);
    check_tiles<std::uint32_t, 16>(threads);
    check_tiles<std::uint32_t, 32>(threads);
  }

  TEST_CASE("tiles of the wave") { check_tiles<std::uint32_t, 4, fm::wave_group>(2 * test::wave_size()); }

  TEST_CASE("in a wave that is not full") {
    check_tiles<std::uint32_t, 8>(test::wave_size() + 8);
    check_tiles<std::uint32_t, 16>(16);
  }

  TEST_CASE_TEMPLATE("values of every size", T, std::uint8_t, std::int16_t, double, test::words20) {
    check_tiles<T, 8>(2 * test::wave_size());
  }

  TEST_CASE("ranks in the tile, the wave and the block") {
    for (fm::dim3 const& shape : {fm::dim3(64), fm::dim3(8, 12), fm::dim3(4, 2, 20)}) {
      check_places<1>(shape);
      check_places<8>(shape);
      check_places<32>(shape);
    }
    check_places<1>(fm::dim3(24));
    check_places<8>(fm::dim3(24));
  }

  TEST_CASE_TEMPLATE("sums and maxima", T, std::int8_t, std::int32_t, std::uint64_t, float, double) {
    unsigned const threads = 3 * test::wave_size();
    std::vector<T> values, inclusive, exclusive, total, greatest;
    for (unsigned t = 0; t < threads; ++t) {
      int const small = static_cast<int>(test::mix(t) % 2001) - 1000;
      values.push_back(std::is_integral_v<T> && t % 2 == 0 ? test::value_of<T>(t) : static_cast<T>(small));
      exclusive.push_back(t % 8 == 0 ? T{} : inclusive.back());
      inclusive.push_back(t % 8 == 0 ? values[t] : fm::plus{}(inclusive.back(), values[t]));
    }
    for (unsigned t = 0; t < threads; ++t) {
      total.push_back(inclusive[t / 8 * 8 + 7]);
      greatest.push_back(*std::max_element(&values[t / 8 * 8], &values[t / 8 * 8] + 8));
    }
    auto input = test::uploaded(values), a = test::filled<T>(threads), b = test::filled<T>(threads),
         c = test::filled<T>(threads), d = test::filled<T>(threads);
    test::run({1, threads}, sums_of_8<T>, input.data(), a.data(), b.data(), c.data(), d.data());
    CHECK(test::difference(a, inclusive) == "");
    CHECK(test::difference(b, exclusive) == "");
    CHECK(test::difference(c, total) == "");
    CHECK(test::difference(d, greatest) == "");
  }
}
