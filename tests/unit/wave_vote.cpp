// The wave's size, lanes and votes.
#include "wave_shapes.hpp"

namespace {

struct self {
  unsigned size, function_size, lane, thread_rank, live;
};

FERMATA_KERNEL who_am_i(self* out) {
  auto const wave = fm::this_wave();
  out[fm::this_block().thread_rank()] = {wave.size(), fm::wave::size(), wave.lane(), wave.thread_rank(), wave.live()};
}

struct votes {
  std::uint64_t ballot;
  unsigned any, all, elected;
};

// Lane i of each wave votes with bit i of pattern p, for each pattern.
FERMATA_KERNEL vote(std::uint64_t const* patterns, votes* out, unsigned count) {
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned p = 0; p < count; ++p) {
    bool const yes = (patterns[p] >> wave.lane()) & 1;
    votes v{};
    v.ballot = wave.ballot(yes).to_uint64();
    v.any = wave.any(yes);
    v.all = wave.all(yes);
    v.elected = wave.elect();
    out[p * threads + rank] = v;
  }
}

// Lanes pass values on through shared memory, with nothing but the wave's sync between them.
FERMATA_KERNEL pass_on(unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const first = rank - wave.lane();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    tile[rank] = round * 1024 + rank;
    wave.sync();
    unsigned const other = first + (wave.lane() + round) % wave.live();
    mismatches += tile[other] != round * 1024 + other;
    wave.sync();
  }
  wrong[rank] = mismatches;
}

std::vector<std::uint64_t> patterns() {
  std::vector<std::uint64_t> result = {0, ~std::uint64_t{0}, 0x5555555555555555ull, 0xFFFFFFFF00000000ull};
  for (unsigned lane = 0; lane < test::wave_size(); ++lane) {
    result.push_back(std::uint64_t{1} << lane);     // one says yes
    result.push_back(~(std::uint64_t{1} << lane));  // one says no
  }
  for (unsigned i = 0; i < 16; ++i) result.push_back(std::uint64_t{test::mix(2 * i)} << 32 | test::mix(2 * i + 1));
  return result;
}

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE("the width is what the device says, and within the bound") {
    CHECK((test::wave_size() == 32 || test::wave_size() == 64));
    CHECK(test::wave_size() <= fm::wave::max_size);
    static_assert(fm::wave::max_size == 64);
  }

  TEST_CASE("size, lane and live in blocks of every shape") {
    std::vector<fm::dim3> shapes = test::shapes_with_every_partial_wave();
    for (fm::dim3 const& s : test::some_shapes()) shapes.push_back(s);
    for (fm::dim3 const& shape : shapes) {
      CAPTURE(shape.x);
      CAPTURE(shape.y);
      CAPTURE(shape.z);
      unsigned const threads = shape.count();
      auto out = test::filled<self>(threads, 0xCD);
      test::run({1, shape}, who_am_i, out.data());
      std::vector<self> want;
      for (unsigned t = 0; t < threads; ++t) {
        test::place const p = test::place_of(t, threads);
        want.push_back({test::wave_size(), test::wave_size(), p.lane, p.lane, p.live});
      }
      CHECK(test::difference(out, want) == "");
    }
  }

  TEST_CASE("ballot, any, all and elect: every single lane, random patterns, every partial wave") {
    std::vector<std::uint64_t> const all = patterns();
    auto input = test::uploaded(all);
    unsigned const count = static_cast<unsigned>(all.size());
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave()) {
      unsigned const threads = shape.count();
      CAPTURE(threads);
      auto out = test::filled<votes>(count * threads, 0xCD);
      test::run({1, shape}, vote, input.data(), out.data(), count);
      std::vector<votes> const got = test::downloaded(out);
      unsigned wrong_ballot = 0, wrong_any = 0, wrong_all = 0, wrong_elect = 0;
      for (unsigned p = 0; p < count; ++p)
        for (unsigned t = 0; t < threads; ++t) {
          test::place const at = test::place_of(t, threads);
          std::uint64_t const live = at.live == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << at.live) - 1;
          votes const& v = got[p * threads + t];
          wrong_ballot += v.ballot != (all[p] & live);
          wrong_any += v.any != ((all[p] & live) != 0);
          wrong_all += v.all != ((all[p] & live) == live);
          wrong_elect += v.elected != (at.lane == 0);
        }
      CHECK(wrong_ballot == 0);
      CHECK(wrong_any == 0);
      CHECK(wrong_all == 0);
      CHECK(wrong_elect == 0);
    }
  }

  TEST_CASE("sync makes shared memory visible among the lanes") {
    for (fm::dim3 const& shape : test::some_shapes()) {
      CAPTURE(shape.count());
      auto wrong = test::filled<unsigned>(shape.count(), 0xFF);
      test::run({1, shape}, pass_on, wrong.data(), 70u);
      CHECK(test::difference(wrong, std::vector<unsigned>(shape.count(), 0u)) == "");
    }
  }
}
