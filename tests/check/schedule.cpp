// The schedules: whose turn it is, what repeats a run, and how far back an atomic load may look.
#include <algorithm>
#include <fermata/check_doctest.hpp>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

#include "../../backends/host/src/check/store_history.hpp"
#include "support.hpp"

namespace {

using test::word;
using schedule = fm::check_schedule;

// A lane writes its rank in the grid into the next place of `order`, once for each of its turns. (The blocks end one
// after the other.)
FERMATA_DEVICE void takes_place(unsigned* next, unsigned* order) {
  order[word(*next).fetch_add(1, fm::memory_order_relaxed)] = static_cast<unsigned>(fm::this_grid().thread_rank());
}

FERMATA_KERNEL takes_places(unsigned* next, unsigned* order, unsigned times) {
  for (unsigned i = times + 3 * fm::this_grid().block_rank(); i != 0; --i) takes_place(next, order);
}

// In each phase a lane has 1, 5 or 9 turns, and meets the others of its block behind them.
constexpr unsigned turns_of(unsigned rank) { return 1 + rank % 3 * 4; }
FERMATA_KERNEL meets_others(unsigned* next, unsigned* order, unsigned phases) {
  for (unsigned phase = 0; phase < phases; ++phase) {
    for (unsigned i = turns_of(fm::this_block().thread_rank()); i != 0; --i) takes_place(next, order);
    fm::this_block().sync();
  }
}

FERMATA_KERNEL takes_places_and_throws(unsigned* next, unsigned* order, unsigned throws) {
  takes_place(next, order);
  if (throws != 0) throw std::runtime_error("as it shall");
}

// Two blocks whose result depends on the order of their turns, and on which of its values a word seems to have.
FERMATA_KERNEL writes_and_looks(unsigned* next, unsigned* order, unsigned times) {
  word const value(next[1]);
  for (unsigned i = 0; i < times; ++i) {
    if (fm::this_grid().block_rank() == 0) value.store(i, fm::memory_order_relaxed);
    unsigned const seen = value.load(fm::memory_order_relaxed);
    order[word(*next).fetch_add(1, fm::memory_order_relaxed)] =
        seen * 256 + static_cast<unsigned>(fm::this_grid().thread_rank());
  }
}

// Knows that all stores have been made, but by nothing that orders them.
FERMATA_KERNEL stores_and_looks(unsigned* value, unsigned* done, unsigned* seen, unsigned stores) {
  if (fm::this_grid().block_rank() == 0) {
    for (unsigned i = 1; i <= stores; ++i) word(*value).store(i, fm::memory_order_relaxed);
    word(*done).store(1, fm::memory_order_relaxed);
  } else {
    while (word(*done).load(fm::memory_order_relaxed) == 0) {
    }
    *seen = word(*value).load(fm::memory_order_relaxed);
  }
}

using places_kernel = void (*)(unsigned*, unsigned*, unsigned);

// What `order` holds after a run, and what repeats it.
struct made_run {
  std::vector<unsigned> order;
  std::string replay;
  bool operator==(made_run const&) const = default;
};

struct shape {
  unsigned blocks, threads, resident = 16, wave = 32;
  std::size_t places = 0;
};

template <class Choose>
made_run run_of(places_kernel kernel, shape s, unsigned n, Choose choose) {
  fm::device const gpu;
  fm::stream const queue(gpu);
  fm::buffer<unsigned> const next(queue, std::vector<unsigned>(2));
  fm::buffer<unsigned> const order(queue, std::vector<unsigned>(s.places));
  fm::checked_launch launch = fm::check(kernel, {s.blocks, s.threads}, next.data(), order.data(), n);
  unsigned const runs = choose(launch.wave(s.wave).resident_blocks(s.resident));
  fm::check_result const r = launch.runs(runs);
  CHECK_CLEAN(r);
  CHECK(r.runs == runs);
  return {order.download(queue), r.replay};
}

// The steps over which a run under pct spreads its changes.
std::uint64_t span_of(std::string const& replay) {
  std::size_t const at = replay.find("=pct:3:");
  return at == std::string::npos ? 0 : std::stoull(replay.substr(at + 7));
}

std::vector<unsigned> fair_order(places_kernel kernel, shape s, unsigned n) {
  return run_of(kernel, s, n,
                [](fm::checked_launch& l) {
                  l.schedule(schedule::fair);
                  return 1u;
                })
      .order;
}

// The turns of one block until those of another one.
struct stay {
  unsigned block;
  std::vector<unsigned> lanes;
};
std::vector<stay> stays_of(std::vector<unsigned> const& order, unsigned threads) {
  std::vector<stay> result;
  for (unsigned const rank : order) {
    if (result.empty() || result.back().block != rank / threads) result.push_back({rank / threads, {}});
    result.back().lanes.push_back(rank % threads);
  }
  return result;
}

}  // namespace

TEST_CASE("schedule/fair: in each round every lane of a block has its turn, and all blocks go round") {
  for (shape s : {shape{1, 40, 16, 32}, shape{2, 72, 16, 32}, shape{5, 72, 16, 64}, shape{7, 40, 3, 32}}) {
    constexpr unsigned times = 50;
    unsigned const blocks = s.blocks, threads = s.threads;
    CAPTURE(blocks);
    std::vector<std::size_t> turns(blocks), all_turns(blocks);
    for (unsigned b = 0; b < blocks; ++b) all_turns[b] = std::size_t{threads} * (times + 3 * b);
    s.places = std::accumulate(all_turns.begin(), all_turns.end(), std::size_t{0});
    std::vector<stay> const stays = stays_of(fair_order(takes_places, s, times), threads);
    unsigned out_of_turn = 0;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      unsigned const block = stays[i].block;
      std::vector<unsigned> const& lanes = stays[i].lanes;
      for (std::size_t t = 0; t < lanes.size(); ++t) out_of_turn += lanes[t] != t % threads;
      CHECK(lanes.size() % threads == 0);
      turns[block] += lanes.size();
      if (turns[block] == all_turns[block]) continue;
      // All stay as long, but for what is left in the end, and where one begins in the rest of the stay of one that has
      // ended; and then it is the turn of all that have begun and not ended.
      if (blocks != 1 && (block < s.resident || turns[block] != lanes.size()))
        CHECK(lanes.size() == stays[0].lanes.size());
      std::set<unsigned> between;
      for (std::size_t next = i + 1; next < stays.size() && stays[next].block != block; ++next) {
        CHECK(!between.contains(stays[next].block));
        between.insert(stays[next].block);
      }
      for (unsigned b = 0; b < blocks; ++b)
        if (b != block && turns[b] != 0 && turns[b] != all_turns[b]) CHECK(between.contains(b));
    }
    CHECK(out_of_turn == 0);
    CHECK(turns == all_turns);
    if (blocks != 1) CHECK(stays.size() >= 5 * blocks);
  }
}

TEST_CASE("schedule/fair: blocks stay longer where more lanes can run than a cache holds") {
  constexpr unsigned times = 100;
  auto const first_stays = [](unsigned blocks, unsigned threads) {
    shape const s{blocks, threads, 16, 32, std::size_t{threads} * blocks * (2 * times + 3 * (blocks - 1)) / 2};
    std::vector<stay> stays = stays_of(fair_order(takes_places, s, times), threads);
    stays.resize(blocks);
    for (unsigned b = 0; b < blocks; ++b) {
      CHECK(stays[b].block == b);
      CHECK(stays[b].lanes.size() == stays[0].lanes.size());
    }
    return stays[0].lanes.size() / threads;
  };
  CHECK(first_stays(9, 100) == 8);
  CHECK(first_stays(9, 128) == 32);
}

TEST_CASE("schedule/pct: the steps of the last run are known, if it has thrown, too") {
  // Of a run after one of a lane.
  auto const span_after = [](unsigned throws) {
    test::memory m;
    fm::check(takes_places_and_throws, {1, 1}, m.zeros<unsigned>(1), m.zeros<unsigned>(1), throws).runs(1);
    return span_of(fm::check(takes_places_and_throws, {1, 1}, m.zeros<unsigned>(1), m.zeros<unsigned>(1), 0u)
                       .schedule(schedule::pct)
                       .runs(1)
                       .replay);
  };
  CHECK(span_after(0) != 0);
  CHECK(span_after(0) == span_after(1));
}

TEST_CASE("schedule/fair: who waits has no turns, and the others of the block go on in rounds") {
  constexpr unsigned blocks = 3, threads = 70, phases = 20;
  unsigned turns_a_phase = 0;
  for (unsigned rank = 0; rank < threads; ++rank) turns_a_phase += turns_of(rank);
  shape const s{blocks, threads, 16, 32, std::size_t{blocks} * turns_a_phase * phases};
  std::vector<unsigned> const order = fair_order(meets_others, s, phases);
  std::vector<std::vector<unsigned>> had(blocks, std::vector<unsigned>(threads));  // turns of each lane in this phase
  std::vector<unsigned> left(blocks, turns_a_phase);                               // of the block in this phase
  unsigned out_of_turn = 0;
  for (unsigned const place : order) {
    unsigned const block = place / threads, rank = place % threads;
    unsigned const now = had[block][rank]++;
    for (unsigned other = 0; other < threads; ++other)
      out_of_turn += had[block][other] < std::min(now, turns_of(other)) || now >= turns_of(rank);
    if (--left[block] != 0) continue;
    left[block] = turns_a_phase;
    had[block].assign(threads, 0);
  }
  CHECK(out_of_turn == 0);
  std::vector<stay> const stays = stays_of(order, threads);
  CHECK(stays.size() >= 6 * blocks);
  for (std::size_t i = 0; i + blocks < stays.size(); ++i) CHECK(stays[i].block == i % blocks);
}

TEST_CASE("schedule/what is told of a run repeats it, whatever ran before") {
  constexpr unsigned times = 40;
  constexpr std::size_t places = 2 * 3 * times;
  for (unsigned const wave : {32u, 64u})
    for (schedule const how : {schedule::fair, schedule::random, schedule::pct}) {
      CAPTURE(wave);
      CAPTURE(static_cast<int>(how));
      shape const s{2, 3, 16, wave, places};
      std::set<std::vector<unsigned>> different;
      for (unsigned seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        // As the last one of several.
        made_run const first = run_of(writes_and_looks, s, times, [&](fm::checked_launch& l) {
          l.schedule(how).seed(1);
          return seed;
        });
        CHECK(first.replay.find("FERMATA_HOST_SEED=" + std::to_string(seed) + " ") != std::string::npos);
        std::uint64_t const span = span_of(first.replay);
        CHECK((span != 0) == (how == schedule::pct));
        // As long as the last run, whose lanes take two or three steps for each place.
        if (span != 0 && seed != 1) CHECK(span > 2 * places);
        if (span != 0 && seed != 1) CHECK(span < 4 * places);
        fair_order(takes_places, {4, 33, 16, 32, 33 * (4 * 9 + 3 * (1 + 2 + 3))}, 9);
        made_run const again = run_of(writes_and_looks, s, times, [&](fm::checked_launch& l) {
          l.schedule(how, 3, span).seed(seed);
          return 1u;
        });
        CHECK(first == again);
        different.insert(first.order);
      }
      // Else nothing is said by their being the same. In turn only the values differ.
      CHECK(different.size() == 6);
    }
}

TEST_CASE("schedule/an atomic load returns any of the last eight stores, and no older one") {
  for (unsigned const stores : {1u, 7u, 8u, 20u}) {
    CAPTURE(stores);
    test::memory m;
    unsigned* const words = m.zeros<unsigned>(3);
    std::set<unsigned> seen, expected;
    for (unsigned seed = 1; seed <= 200; ++seed) {
      CHECK_CLEAN(fm::check(stores_and_looks, {2, 1}, words, words + 1, words + 2, stores).seed(seed).runs(1));
      seen.insert(words[2]);
      words[0] = words[1] = 0;
    }
    for (unsigned i = stores < 8 ? 0 : stores - 7; i <= stores; ++i) expected.insert(i);
    CHECK(seen == expected);
  }
}

TEST_CASE("schedule/the last ones of many are kept, oldest first, and a new one gets the place of the oldest") {
  struct record {
    unsigned number = 0;
  };
  constexpr unsigned most = 5;
  fm::backend::host::check::last_ones<record, most> kept;
  CHECK(kept.size() == 0);
  for (unsigned number = 1; number <= 4 * most + 2; ++number) {
    record const* const oldest = kept.size() == most ? &kept.front() : nullptr;
    record& place = kept.next();
    if (oldest != nullptr) CHECK(&place == oldest);
    CHECK(place.number == (number > most ? number - most : 0));
    place.number = number;
    std::vector<unsigned> numbers;
    for (std::size_t i = 0; i < kept.size(); ++i) numbers.push_back(std::as_const(kept)[i].number);
    std::vector<unsigned> expected;
    for (unsigned n = number > most ? number - most + 1 : 1; n <= number; ++n) expected.push_back(n);
    CHECK(numbers == expected);
    CHECK(kept.front().number == expected.front());
    CHECK(kept.back().number == number);
  }
}
