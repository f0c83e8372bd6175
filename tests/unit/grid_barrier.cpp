// The barrier of the grid, each algorithm: sync(), over grids of every size.
#include "grid_barrier.hpp"

namespace {

using test::check_crossings;
using test::crossings;
using test::grid_sizes;
using test::most_blocks;

// The memory of a barrier as if 2^32 were near: so many crossings before each of its words wraps around. Where blocks
// and groups have words of their own, some have taken part in fewer launches than others.
constexpr unsigned quantum = 1u << 24;
using memory = std::vector<fm::grid_barrier_line>;

void start(fm::monotonic, memory& lines, unsigned left) { lines[0].words[0] = 0u - left * quantum; }
void start(fm::striped, memory& lines, unsigned left) {
  for (std::size_t line = 0; line < lines.size(); line += fm::detail::grid_algorithm<fm::striped>::lines_apart)
    lines[line].words[0] = 0u - left * quantum;
}
void start(fm::central_generation, memory& lines, unsigned left) { lines[1].words[0] = 0u - left; }
void start(fm::sense, memory& lines, unsigned left) { lines[0].words[0] = left << 31; }
void start(fm::gather_scatter, memory& lines, unsigned left) {
  lines[0].words[0] = 0u - left;
  // Every other slot is so old that it is ahead, as a signed distance.
  for (unsigned slot = 0; slot < 32; ++slot) lines[1].words[slot] = 0u - left - slot * 0x90000000u;
}
void start(fm::all_to_all, memory& lines, unsigned left) { start(fm::gather_scatter{}, lines, left); }
void start(fm::combining, memory& lines, unsigned left) {
  lines[0].words[0] = 0u - left * quantum;
  // What the crossing before told every chiplet.
  for (unsigned chiplet = 0; chiplet < fm::backend::chiplets; ++chiplet)
    fm::detail::go_of(lines.data(), chiplet) = (0u - left) % 256;
}
void start(fm::hierarchical, memory& lines, unsigned left) {
  for (std::size_t line = 0; line < lines.size(); ++line) {
    // The last line of a group is the one that counts crossings by ones.
    unsigned const crossings_left = left + static_cast<unsigned>(line) / 2;
    lines[line].words[0] = 0u - crossings_left * (line != 0 && line % 2 == 0 ? 1 : quantum);
  }
}

}  // namespace

TEST_SUITE("grid_barrier") {
  TEST_CASE("the lines of a barrier") {
    // Slots lie close together, with a line for each 32 of them, and what a line holds is all of it.
    static_assert(fm::detail::lines_of_slots(1) == 1 && fm::detail::lines_of_slots(32) == 1);
    static_assert(fm::detail::lines_of_slots(33) == 2 && fm::detail::lines_of_slots(4224) == 132);
    static_assert(sizeof(fm::grid_barrier_line::words) == sizeof(fm::grid_barrier_line));
    // Four words with 4 KiB from each to the next, and nothing behind the last.
    static_assert(fm::detail::grid_algorithm<fm::striped>::lines(1) == 3 * 4096 / sizeof(fm::grid_barrier_line) + 1);
  }
  TEST_CASE("the place of a line is measured without a trace") {
    // Every place gets a figure from every block, and its line is zero as before.
    unsigned const places = 5, blocks = 3;
    fm::stream const s(test::gpu());
    fm::buffer<fm::grid_barrier_line> const lines(s, memory(places * fm::backend::grid_barrier_lines_apart));
    fm::buffer<unsigned> const out(s, std::vector<unsigned>(places * blocks + 1, ~0u));
    fm::launch(s, {blocks, 64}, fm::detail::measure_round_trips<fm::grid_barrier_line>, lines.data(),
               places, out.data());
    std::vector<unsigned> const trips = out.download(s);
    // Nothing comes back from a cache that all multiprocessors share in fewer cycles: who measures less has not waited.
    unsigned const least = fm::backend::grid_barrier_places > 1 ? 100 : 0;
    for (unsigned i = 0; i < places * blocks; ++i) CHECK((least <= trips[i] && trips[i] < 1'000'000u));
    CHECK(trips.back() == ~0u);
    CHECK(fm::detail::nearest_place(s, lines.data(), places) < places);
    for (fm::grid_barrier_line const& line : lines.download(s))
      for (unsigned const word : line.words) CHECK(word == 0);
  }
  TEST_CASE("the nearest place is that of the shortest trips in the mean") {
    // Four places, three blocks. The second has the shortest trip and the third the shortest median.
    CHECK(fm::detail::nearest_of({9, 9, 9, 1, 14, 15, 7, 7, 30, 8, 8, 9}, 3) == 3);
    CHECK(fm::detail::nearest_of({8, 9, 8, 9, 7, 9, 9, 9, 9, 5, 10, 10}, 3) == 0);  // alike: the first
    CHECK(fm::detail::nearest_of({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 1}, 2) == 1);  // no sum wraps around
    // Of two that are alike, the one that is near to the first block; but not if the others are worse off.
    std::vector<unsigned> trips(2 * 64, 400);
    trips[0] = 500, trips[1] = 260, trips[64] = 260, trips[65] = 500;
    CHECK(fm::detail::nearest_of(trips, 64) == 1);
    trips[66] = 700;
    CHECK(fm::detail::nearest_of(trips, 64) == 0);
  }
  TEST_CASE_TEMPLATE("carries data over grids of every size, one storage for all", A, fm::automatic, fm::monotonic,
                     fm::central_generation, fm::striped, fm::sense, fm::gather_scatter, fm::all_to_all,
                     fm::hierarchical, fm::combining, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    for (unsigned threads : {32u, 100u}) {
      std::vector<unsigned> sizes = grid_sizes(most_blocks(crossings<fm::grid_barrier<A>>, threads));
      for (unsigned blocks : sizes) check_crossings(storage.barrier(), {blocks, threads}, 12);
      // And in another order: large grids between small ones.
      for (std::size_t i = 0; i < sizes.size() / 2; ++i) {
        check_crossings(storage.barrier(), {sizes[sizes.size() - 1 - i], threads}, 3);
        check_crossings(storage.barrier(), {sizes[i], threads}, 4);
        check_crossings(storage.barrier(), {sizes[sizes.size() - 1 - i], threads}, 1);
      }
    }
  }

  TEST_CASE_TEMPLATE("many crossings of few blocks", A, fm::monotonic, fm::central_generation, fm::striped, fm::sense,
                     fm::gather_scatter, fm::all_to_all, fm::hierarchical, fm::combining, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    check_crossings(storage.barrier(), {2, 32}, 1000);
    check_crossings(storage.barrier(), {3, 64}, 300);  // 3 does not divide 2^32
    check_crossings(storage.barrier(), {16, 32}, 20, 30);
  }

  TEST_CASE_TEMPLATE("blocks of 1 to 1024 threads, grids and blocks in more than one dimension", A, fm::monotonic,
                     fm::central_generation, fm::striped, fm::sense, fm::gather_scatter, fm::all_to_all,
                     fm::hierarchical, fm::combining, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    auto const at_most = [](unsigned blocks, unsigned threads) {
      return fm::launch_config{std::min(blocks, most_blocks(crossings<fm::grid_barrier<A>>, threads)), threads};
    };
    for (unsigned threads : {1u, 31u, 33u, 513u, 1024u}) check_crossings(storage.barrier(), at_most(3, threads), 8);
    // Fewer threads than blocks: several slots for one thread.
    check_crossings(storage.barrier(), at_most(16, 3), 8);
    check_crossings(storage.barrier(), {{2, 3}, {8, 6}}, 8);
    check_crossings(storage.barrier(), {{1, 2, 2}, {2, 3, 7}}, 8);
  }

  TEST_CASE_TEMPLATE("launches queued one behind the other, of different grids", A, fm::monotonic,
                     fm::central_generation, fm::striped, fm::sense, fm::gather_scatter, fm::all_to_all,
                     fm::hierarchical, fm::combining, fm::cooperative) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    auto data = test::filled<unsigned>(2 * 16 * 64), wrong = test::filled<unsigned>(16 * 64);
    for (unsigned i = 0; i < 40; ++i)
      fm::launch_cooperative(test::queue(), {1 + test::mix(i) % 16, 64}, crossings<fm::grid_barrier<A>>,
                             storage.barrier(), data.data(), wrong.data(), 1 + i % 4, i % 3);
    CHECK(test::difference(wrong, std::vector<unsigned>(16 * 64, 0u)) == "");
  }

  TEST_CASE_TEMPLATE("goes on when its words wrap around", A, fm::monotonic, fm::central_generation, fm::striped,
                     fm::sense, fm::gather_scatter, fm::all_to_all, fm::hierarchical, fm::combining) {
    for (unsigned left :
         {1u, 2u, 3u, 128u, 129u}) {  // 128 quanta are half of 2^32: where a signed distance changes sign
      CAPTURE(left);
      memory lines(fm::detail::grid_algorithm<A>::lines(32), fm::grid_barrier_line{});
      start(A{}, lines, left);
      fm::buffer<fm::grid_barrier_line> const state = test::uploaded(lines);
      for (unsigned blocks : {1u, 3u, 9u, 5u, 4u, 16u})
        check_crossings(fm::grid_barrier<A, fm::no_deadline>(state.data()), {blocks, 40}, 6, 40);
    }
  }

  TEST_CASE_TEMPLATE("reset makes a storage new", A, fm::monotonic, fm::central_generation, fm::striped, fm::sense,
                     fm::gather_scatter, fm::all_to_all, fm::hierarchical, fm::combining) {
    fm::grid_barrier_storage<A> storage(test::gpu());
    check_crossings(storage.barrier(), {3, 32}, 5);
    storage.reset(test::queue());
    check_crossings(storage.barrier(), {4, 32}, 5);
  }

  TEST_CASE("the groups of the hierarchical barrier") {
    for (unsigned blocks = 1; blocks <= 70; ++blocks) {
      std::vector<unsigned> members, promised;
      for (unsigned block = 0; block < blocks; ++block) {
        auto const [group, groups, member, count] = fm::detail::barrier_group_of(block, blocks);
        members.resize(groups);
        promised.resize(groups);
        REQUIRE(group < groups);
        CHECK(member == members[group]++);  // in the order of the ranks, from 0 and without a gap
        promised[group] = count;
        CHECK(groups <= fm::detail::most_barrier_groups(blocks));
      }
      CHECK(members == promised);
      for (unsigned const count : members) CHECK(count != 0);
    }
  }

  TEST_CASE("the default algorithm") {
    fm::grid_barrier_storage<> storage(test::gpu());
    fm::grid_barrier<> const barrier = storage.barrier();
    check_crossings(barrier, {4, 64}, 10);
  }
}
