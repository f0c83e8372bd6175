#include <chrono>

#include "library.hpp"

#include <stdexcept>

namespace {

// Every thread writes its own word and reads those of a neighbour, of another wave and of another block; two halves
// take turns, so that one crossing a round is enough.
template <class Barrier>
FERMATA_KERNEL crossings(Barrier barrier, unsigned* data, unsigned rounds) {
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const half = data + (round & 1) * threads;
    half[rank] = round + rank;
    barrier.sync();
    for (unsigned const step : {1u, 33u, fm::this_block().size()}) {
      unsigned const other = (rank + step) % threads;
      if (half[other] != round + other) throw std::runtime_error("an old value behind the barrier");
    }
  }
}

// The same with the barrier in two halves, and work of its own in between.
template <class Barrier>
FERMATA_KERNEL split_crossings(Barrier barrier, unsigned* data, unsigned* own, unsigned rounds) {
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank());
  unsigned const threads = static_cast<unsigned>(fm::this_grid().size());
  for (unsigned round = 1; round <= rounds; ++round) {
    unsigned* const half = data + (round & 1) * threads;
    half[rank] = round;
    auto const token = barrier.arrive();
    own[rank] += round;
    barrier.wait(token);
    if (half[(rank + fm::this_block().size()) % threads] != round)
      throw std::runtime_error("an old value behind the barrier");
  }
}

template <class... Policies>
auto made(fm::stream const& s) {
  struct state {
    fm::grid_barrier_storage<Policies...> storage;
    fm::buffer<unsigned> data, own;
  };
  constexpr unsigned threads = 4 * 80;
  return std::make_shared<state>(state{fm::grid_barrier_storage<Policies...>(s.device()),
                                       library::zeros<unsigned>(s, 2 * threads), library::zeros<unsigned>(s, threads)});
}

template <class... Policies>
void check_sync(unsigned cluster = 1, fm::launch_config config = {4, 80}) {
  library::stays_clean([&](fm::stream const& s) {
    return [=, m = made<Policies...>(s)] {
      fm::launch_config clustered = config;
      clustered.cluster = cluster;
      return fm::check(crossings<fm::grid_barrier<Policies...>>, clustered, m->storage.barrier(), m->data.data(), 3)
          .cooperative();
    };
  });
}

template <class Algorithm>
void check_split() {
  library::stays_clean([](fm::stream const& s) {
    return [m = made<Algorithm>(s)] {
      return fm::check(split_crossings<fm::grid_barrier<Algorithm>>, {4, 80}, m->storage.barrier(), m->data.data(),
                       m->own.data(), 3)
          .cooperative();
    };
  });
}

// The last block does not come; of the others one writes the report, and all fail.
FERMATA_KERNEL one_is_missing(fm::grid_barrier<fm::monotonic, fm::with_deadline> barrier) {
  if (fm::this_grid().block_rank() != 3) barrier.sync();
}

}  // namespace

TEST_SUITE_BEGIN("grid_barrier");

TEST_CASE("automatic") { check_sync<fm::automatic>(); }
TEST_CASE("monotonic") { check_sync<fm::monotonic>(); }
TEST_CASE("striped") { check_sync<fm::striped>(); }
TEST_CASE("sense") { check_sync<fm::sense>(); }
TEST_CASE("central_generation") { check_sync<fm::central_generation>(); }
TEST_CASE("gather_scatter") { check_sync<fm::gather_scatter>(); }
TEST_CASE("all_to_all") { check_sync<fm::all_to_all>(); }
TEST_CASE("hierarchical") { check_sync<fm::hierarchical>(); }
// Eight blocks make a group.
TEST_CASE("hierarchical, with groups") { check_sync<fm::hierarchical>(1, {11, 3}); }
TEST_CASE("combining") { check_sync<fm::combining>(); }
TEST_CASE("combining, on several chiplets") { check_sync<fm::combining>(1, {6, 3}); }
TEST_CASE("hierarchical, with clusters") { check_sync<fm::hierarchical>(2); }
TEST_CASE("cooperative") { check_sync<fm::cooperative>(); }
TEST_CASE("monotonic, with a deadline") { check_sync<fm::monotonic, fm::with_deadline>(); }
TEST_CASE("all_to_all, with a deadline") { check_sync<fm::all_to_all, fm::with_deadline>(); }
TEST_CASE("split monotonic") { check_split<fm::monotonic>(); }
TEST_CASE("split striped") { check_split<fm::striped>(); }
TEST_CASE("split sense") { check_split<fm::sense>(); }
TEST_CASE("split central_generation") { check_split<fm::central_generation>(); }
TEST_CASE("split gather_scatter") { check_split<fm::gather_scatter>(); }
TEST_CASE("split all_to_all") { check_split<fm::all_to_all>(); }
TEST_CASE("split hierarchical") { check_split<fm::hierarchical>(); }
TEST_CASE("split combining") { check_split<fm::combining>(); }

TEST_CASE("monotonic, with a missed deadline") {
  fm::device const gpu(0);
  for (unsigned const wave : {32u, 64u}) {
    for (unsigned seed = 1; seed <= library::runs(); ++seed) {
      CAPTURE(wave);
      CAPTURE(seed);
      fm::grid_barrier_storage<fm::monotonic, fm::with_deadline> const storage(gpu, std::chrono::microseconds(20));
      auto const result =
          fm::check(one_is_missing, {4, 1}, storage.barrier()).cooperative().wave(wave).seed(seed).runs(1);
      INFO(result.text());
      REQUIRE_EQ(result.findings.size(), 1);
      CHECK(result.has(fm::finding_kind::kernel_failed));
      CHECK_NE(result.text().find("1 block has not arrived: 3."), std::string::npos);
    }
  }
}

TEST_SUITE_END();
