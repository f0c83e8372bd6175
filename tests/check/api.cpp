// check() itself: what it returns, repeats, restores and refuses.
#include <fermata/check_doctest.hpp>
#include <stdexcept>
#include <string>

#include "support.hpp"

namespace {

using test::word;

constexpr unsigned line_of_racy = __LINE__ + 1;
FERMATA_KERNEL racy(unsigned* sum) { *sum += 1; }

FERMATA_KERNEL racy_on_purpose(unsigned* sum) {
  fm::check_ignore const meant(kind::data_race, "a statistic; any value will do");
  *sum += 1;
}

// Wrong in some orders of the two blocks only.
FERMATA_KERNEL second_block_is_first(unsigned* turn) {
  unsigned const old = word(*turn).fetch_add(1, fm::memory_order_relaxed);
  if (old == 0 && fm::this_grid().block_rank() == 1) throw std::runtime_error("the second block was first");
}

FERMATA_KERNEL each_takes_a_turn(unsigned* turn) { word(*turn).fetch_add(1, fm::memory_order_relaxed); }

FERMATA_KERNEL counts_from_zero(unsigned* count) {
  if (word(*count).fetch_add(1, fm::memory_order_relaxed) != 0) throw std::runtime_error("not the first run");
}

// One lane writes, all read: in memory that block after block gets.
FERMATA_KERNEL tell_the_block(unsigned* out) {
  FERMATA_SHARED(told, unsigned);
  if (fm::this_block().thread_rank() == 0) told = fm::this_grid().block_rank();
  fm::this_block().sync();
  out[fm::this_grid().thread_rank()] = told;
}

FERMATA_GLOBAL(passes, unsigned);
FERMATA_GLOBAL(last_pass, unsigned[2]);
FERMATA_KERNEL set_passes(unsigned from) { passes = last_pass[1] = from; }
FERMATA_KERNEL counts_from(unsigned first) {
  if (word(passes).fetch_add(1, fm::memory_order_relaxed) != first || last_pass[1]++ != first)
    throw std::runtime_error("not as before the first run");
}
FERMATA_KERNEL keeps_width() { last_pass[1] = fm::wave::size(); }

bool has(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

template <class Run>
std::string refusal(Run run) {
  try {
    run();
  } catch (fm::error const& e) {
    return e.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("api/a finding has both places, the object and what repeats it") {
  test::memory m;
  fm::check_result const r = fm::check(racy, {2, 1}, m.zeros<unsigned>(1)).seed(5).runs(20);
  REQUIRE_FALSE(r.clean());
  CHECK(r.has(kind::data_race));
  CHECK(r.findings.front().places.size() == 2);
  std::string const text = r.text();
  std::string const place = "api.cpp:" + std::to_string(line_of_racy);
  CHECK(has(text, (place + ": data-race: plain ").c_str()));
  CHECK(has(text, (place + ": note: plain ").c_str()));
  CHECK(has(text, "object: a buffer of 4 bytes"));
  CHECK(has(text, ("FERMATA_HOST_SEED=" + std::to_string(r.seed)).c_str()));
}

TEST_CASE("api/what is ignored is kept with its reason, and does not count") {
  test::memory m;
  fm::check_result const r = fm::check(racy_on_purpose, {2, 1}, m.zeros<unsigned>(1)).runs(20);
  CHECK(r.clean());
  CHECK_FALSE(r.has(kind::data_race));
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings.front().suppressed == "a statistic; any value will do");
  CHECK(has(r.sarif(),
            "\"suppressions\": [{\"kind\": \"inSource\", \"justification\": \"a statistic; any value will do\"}]"));
}

TEST_CASE("api/the seed repeats a run") {
  test::memory m;
  unsigned* const turn = m.zeros<unsigned>(1);
  unsigned found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    fm::check_result const first = fm::check(second_block_is_first, {2, 1}, turn).seed(seed).runs(1);
    found += !first.clean();
    *turn = 0;
    fm::check_result const again = fm::check(second_block_is_first, {2, 1}, turn).seed(seed).runs(1);
    *turn = 0;
    CHECK(first.text() == again.text());
  }
  // Some of the orders show it, and others do not: else nothing is said by their being the same.
  CHECK(found > 0);
  CHECK(found < 20);
}

TEST_CASE("api/an exhaustive search ends, and finds what one order shows") {
  test::memory m;
  unsigned* const turn = m.zeros<unsigned>(1);
  fm::check_result const all =
      fm::check(each_takes_a_turn, {2, 1}, turn).schedule(fm::check_schedule::exhaustive).runs(100000);
  CHECK(all.clean());
  CHECK(all.complete);
  CHECK(all.runs > 1);
  *turn = 0;
  fm::check_result const wrong =
      fm::check(second_block_is_first, {2, 1}, turn).schedule(fm::check_schedule::exhaustive).runs(100000);
  CHECK(wrong.has(kind::kernel_failed));
  CHECK_FALSE(wrong.complete);
}

TEST_CASE("api/buffers are as before at each run") {
  test::memory m;
  CHECK_CLEAN(fm::check(counts_from_zero, {1, 1}, m.zeros<unsigned>(1)).runs(10));
}

TEST_CASE("api/what the block before did in the same shared memory is of the past") {
  test::memory m;
  CHECK_CLEAN(fm::check(tell_the_block, {5, 64}, m.zeros<unsigned>(320)).resident_blocks(1).runs(2));
  CHECK_CLEAN(fm::check(tell_the_block, {5, 64}, m.zeros<unsigned>(320)).resident_blocks(3).runs(20));
}

TEST_CASE("api/variables of the device are as before at each run") {
  // Zero at first, as on a GPU; and then as a launch has left them, or a check, which leaves what its last run did.
  for (unsigned const first : {0u, 7u}) {
    CAPTURE(first);
    if (first != 0) {
      fm::stream const s{fm::device()};
      fm::launch(s, {1, 1}, set_passes, first);
      s.synchronize();
    }
    fm::checked_launch counting = fm::check(counts_from, {1, 1}, first);
    CHECK_CLEAN(counting.runs(10));
    CHECK_CLEAN(counting.wave(64).runs(2));
    CHECK(passes == first + 1);
    CHECK(last_pass[1] == first + 1);
    CHECK_CLEAN(fm::check(counts_from, {1, 1}, first + 1).runs(1));
  }
  CHECK(fm::check_widths(keeps_width, {1, 1}).has(kind::width_assumption));
}

TEST_CASE("api/settings that are not legal are refused") {
  test::memory m;
  unsigned* const p = m.zeros<unsigned>(1);
  CHECK(has(refusal([&] { fm::check(racy, {1, 1}, p).wave(16).runs(1); }), "it must be 32 or 64"));
  CHECK(has(refusal([&] { fm::check(racy, {1, 1}, p).runs(0); }), "it must be one at least"));
  CHECK(has(refusal([&] {
              fm::check(racy, {1, 1}, p).schedule(fm::check_schedule::pct, 0).runs(1);
            }),
            "it must be 1 to 100"));
  CHECK(has(refusal([&] { fm::check(racy, {1, 1}, p).xcds(65).runs(1); }), "it must be 1 to 64"));
  CHECK(has(refusal([&] { fm::check(racy, {9, 1}, p).cooperative().resident_blocks(4).runs(1); }), "9 blocks"));
}

TEST_CASE("api/the matchers complain about the other outcome") {
  test::memory m;
  fm::check_result const bad = fm::check(racy, {2, 1}, m.zeros<unsigned>(1)).runs(20);
  fm::check_result const good = fm::check(racy, {1, 1}, m.zeros<unsigned>(1)).runs(1);
  CHECK_FINDS(bad, kind::data_race);
  CHECK_CLEAN(good);
  CHECK(has(fm::detail::unexpected_findings(bad), "data-race"));
  CHECK(has(fm::detail::unexpected_findings(bad, kind::livelock), "expected livelock"));
  CHECK(has(fm::detail::unexpected_findings(good, kind::data_race), "expected data-race"));
}
