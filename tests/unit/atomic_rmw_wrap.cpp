// fetch_inc_wrap and fetch_dec_wrap: counting up to a limit and around, down to 0 and around.
#include "atomic_cells.hpp"

namespace {

struct inc_op {
  template <class Ref, class O>
  FERMATA_DEVICE static unsigned apply(Ref ref, unsigned limit, O order) {
    return ref.fetch_inc_wrap(limit, order);
  }
  static unsigned expected(unsigned old, unsigned limit) { return old >= limit ? 0 : old + 1; }
};
struct dec_op {
  template <class Ref, class O>
  FERMATA_DEVICE static unsigned apply(Ref ref, unsigned limit, O order) {
    return ref.fetch_dec_wrap(limit, order);
  }
  static unsigned expected(unsigned old, unsigned limit) { return old == 0 || old > limit ? limit : old - 1; }
};

template <class Op>
void check_op() {
  // Around 0, around a limit in the middle, and around the largest one; every one of them as value and as limit.
  test::operand_pairs<unsigned> const pairs(
      {0u, 1u, 2u, 6u, 7u, 8u, 0x7FFFFFFFu, 0x80000000u, 0x80000001u, ~0u - 1, ~0u});
  std::vector<unsigned> after;
  for (unsigned i = 0; i < pairs.count(); ++i) after.push_back(Op::expected(pairs.memory[i], pairs.operand[i]));
  constexpr unsigned cells = test::every_cell::count;
  test::rmw_outcome<unsigned> const got =
      test::run_rmw_cells<unsigned>(test::rmw_cells<Op, test::every_cell, unsigned>, cells, pairs);
  CHECK(test::difference(got.olds, test::repeated(pairs.memory, cells)) == "");
  CHECK(test::difference(got.memory, test::repeated(after, cells)) == "");
}

// Every thread takes tickets of a ring of limit + 1 places.
FERMATA_KERNEL take_tickets(unsigned* ring, unsigned* taken, unsigned limit, bool down, unsigned per_thread) {
  fm::device_atomic_ref<unsigned> const next(*ring);
  for (unsigned i = 0; i < per_thread; ++i) {
    unsigned const ticket = down ? next.fetch_dec_wrap(limit, fm::memory_order_relaxed)
                                 : next.fetch_inc_wrap(limit, fm::memory_order_relaxed);
    fm::device_atomic_ref<unsigned>(taken[ticket]).fetch_add(1, fm::memory_order_relaxed);
  }
}

}  // namespace

TEST_SUITE("atomic_rmw") {
  TEST_CASE("fetch_inc_wrap") { check_op<inc_op>(); }
  TEST_CASE("fetch_dec_wrap") { check_op<dec_op>(); }

  TEST_CASE("contended wrapping counters hand out every place equally often") {
    for (bool down : {false, true}) {
      CAPTURE(down);
      constexpr unsigned places = 12, threads = 4 * 48, per_thread = 300;
      auto ring = test::filled<unsigned>(1), taken = test::filled<unsigned>(places);
      test::run({4, 48}, take_tickets, ring.data(), taken.data(), places - 1, down, per_thread);
      CHECK(test::difference(taken, std::vector<unsigned>(places, threads * per_thread / places)) == "");
      CHECK(test::difference(ring, std::vector<unsigned>{0}) == "");
    }
  }
}
