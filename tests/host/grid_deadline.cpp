// A grid barrier with a deadline names the blocks that did not arrive. Here, because on a GPU the device is lost with
// the kernel.
#include <chrono>

#include "host_support.hpp"

TYPE_TO_STRING(fermata::monotonic);
TYPE_TO_STRING(fermata::central_generation);
TYPE_TO_STRING(fermata::sense);
TYPE_TO_STRING(fermata::gather_scatter);
TYPE_TO_STRING(fermata::all_to_all);
TYPE_TO_STRING(fermata::hierarchical);
TYPE_TO_STRING(fermata::combining);

namespace {

using std::chrono::milliseconds;

// All blocks cross `together` times. Then those whose bit is set in `late` come `ticks` late, and the others on time.
template <class Barrier>
FERMATA_KERNEL come_late(Barrier barrier, unsigned together, unsigned late, std::uint64_t ticks, unsigned* out) {
  for (unsigned i = 0; i < together; ++i) barrier.sync();
  unsigned const rank = fm::this_grid().block_rank();
  std::uint64_t const start = fm::wall_clock();
  if ((late >> rank & 1) != 0) {
    while (fm::wall_clock() - start < ticks) {
    }
  }
  barrier.sync();
  if (fm::this_block().thread_rank() == 0) out[rank] = 1;
}

// Those blocks return instead.
template <class Barrier>
FERMATA_KERNEL leave_early(Barrier barrier, unsigned missing) {
  barrier.sync();
  if ((missing >> fm::this_grid().block_rank() & 1) == 0) barrier.sync();
}

constexpr std::uint64_t one_second = 1000000000;  // ticks of the host's clock are nanoseconds

}  // namespace

TEST_CASE_TEMPLATE("host: a missed deadline names the barrier, the time and the blocks", A, fm::monotonic,
                   fm::central_generation, fm::sense, fm::gather_scatter, fm::all_to_all, fm::hierarchical,
                   fm::combining) {
  using barrier = fm::grid_barrier<A, fm::with_deadline>;
  fm::grid_barrier_storage<A, fm::with_deadline> storage(test::gpu(), milliseconds(40));
  auto out = test::filled<unsigned>(16);
  auto const missed = [&](unsigned blocks, unsigned together, unsigned late) {
    test::caught const e = test::error_of([&] {
      test::run_cooperative({blocks, 40}, come_late<barrier>, storage.barrier(), together, late, 60 * one_second,
                            out.data());
    });
    CHECK(e.code == fm::errc::deadline_missed);
    CHECK(e.mentions(std::string("grid_barrier<") + fm::detail::grid_algorithm<A>::name + ">: block "));
    std::string const waited = " of " + std::to_string(blocks) + " has waited for ";
    REQUIRE(e.mentions(waited));
    double const time = std::stod(e.message.substr(e.message.find(waited) + waited.size()));
    CHECK(time >= 40);
    CHECK(time < 5000);  // a machine with much else to do
    storage.reset(test::queue());
    return e.message;
  };
  auto const says = [](std::string const& message, std::string const& text) {
    CAPTURE(message);
    CHECK(message.find(text) != std::string::npos);
  };
  says(missed(9, 4, 1u << 4), " ms. 1 block has not arrived: 4.");
  // Blocks that no launch since the last reset had; and block 0, which has a part of its own in some algorithms.
  says(missed(16, 0, 1u << 3 | 1u << 15 | 1u), " ms. 3 blocks have not arrived: 0, 3, 15.");
  says(missed(16, 1, 0xFFFEu), " ms. 15 blocks have not arrived: 1, 2, 3, 4, 5, 6, 7, 8, ….");

  // A larger grid before, so that the blocks of this one have older arrivals behind them.
  test::run_cooperative({16, 40}, come_late<barrier>, storage.barrier(), 2u, 0u, 0u, out.data());
  test::run_cooperative({2, 40}, come_late<barrier>, storage.barrier(), 5u, 0u, 0u, out.data());
  says(missed(6, 0, 1u << 2 | 1u << 5), " ms. 2 blocks have not arrived: 2, 5.");

  // And all is well again.
  out = test::filled<unsigned>(16);
  test::run_cooperative({16, 40}, come_late<barrier>, storage.barrier(), 4u, 1u << 7, one_second / 100, out.data());
  CHECK(test::difference(out, std::vector<unsigned>(16, 1)) == "");
}

TEST_CASE("host: a block that has returned misses the deadline of the others") {
  using barrier = fm::grid_barrier<fm::monotonic, fm::with_deadline>;
  fm::grid_barrier_storage<fm::monotonic, fm::with_deadline> storage(test::gpu(), milliseconds(40));
  test::caught const e = test::error_of([&] {
    test::run_cooperative({5, 33}, leave_early<barrier>, storage.barrier(), 1u << 1);
  });
  CHECK(e.code == fm::errc::deadline_missed);
  CHECK(e.mentions(" ms. 1 block has not arrived: 1."));
}

TEST_CASE("host: without a deadline the executor reports what cannot end") {
  using barrier = fm::grid_barrier<fm::monotonic, fm::no_deadline>;
  fm::grid_barrier_storage<fm::monotonic, fm::no_deadline> storage(test::gpu());
  test::caught const e = test::error_of([&] {
    test::run_cooperative({5, 33}, leave_early<barrier>, storage.barrier(), 1u << 1);
  });
  CHECK(e.code == fm::errc::deadlock);
}
