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

// On a machine with much else to do a block that is on time may be as late as a short limit, and be named: then all
// is done again with a longer one. What is wrong whatever the limit, is so with the longest, too. `work` does it with
// a limit and returns what is wrong, and nothing if all is right.
template <class Work>
void in_time(Work work) {
  std::string wrong = "not tried";
  for (milliseconds const limit : {milliseconds(40), milliseconds(300), milliseconds(3000)})
    if (!wrong.empty()) wrong = work(limit);
  CHECK(wrong == "");
}

// Nothing if the launch has missed the deadline, and the message ends as it should; otherwise the message. Whatever
// else is told is so at any speed.
template <class Launch>
std::string complaint_about(char const* algorithm, unsigned blocks, milliseconds limit, std::string const& missing,
                            Launch launch) {
  test::caught const e = test::error_of(launch);
  CHECK(e.code == fm::errc::deadline_missed);
  CHECK(e.mentions(std::string("grid_barrier<") + algorithm + ">: block "));
  std::string const waited = " of " + std::to_string(blocks) + " has waited for ";
  std::size_t const at = e.message.find(waited);
  CHECK(at != std::string::npos);
  if (at == std::string::npos) return e.message;
  double const time = std::stod(e.message.substr(at + waited.size()));
  CHECK(time >= static_cast<double>(limit.count()));
  CHECK(time < static_cast<double>(limit.count()) + 5000);
  return e.mentions(" ms. " + missing) ? "" : e.message;
}

// What a launch that should be in time says if it is not.
template <class Launch>
std::string complaint_of(Launch launch) {
  try {
    launch();
    return "";
  } catch (fm::error const& e) {
    CHECK(e.code() == fm::errc::deadline_missed);
    return e.what();
  }
}

}  // namespace

TEST_CASE_TEMPLATE("host: a missed deadline names the barrier, the time and the blocks", A, fm::monotonic,
                   fm::central_generation, fm::sense, fm::gather_scatter, fm::all_to_all, fm::hierarchical,
                   fm::combining) {
  using barrier = fm::grid_barrier<A, fm::with_deadline>;
  in_time([](milliseconds limit) {
    fm::grid_barrier_storage<A, fm::with_deadline> storage(test::gpu(), limit);
    auto out = test::filled<unsigned>(16);
    auto const launch = [&](unsigned blocks, unsigned together, unsigned late, std::uint64_t ticks) {
      test::run_cooperative({blocks, 40}, come_late<barrier>, storage.barrier(), together, late, ticks, out.data());
    };
    auto const missed = [&](unsigned blocks, unsigned together, unsigned late, char const* missing) {
      std::string const complaint = complaint_about(fm::detail::grid_algorithm<A>::name, blocks, limit, missing,
                                                    [&] { launch(blocks, together, late, 60 * one_second); });
      storage.reset(test::queue());
      return complaint;
    };
    std::string wrong = missed(9, 4, 1u << 4, "1 block has not arrived: 4.");
    // Blocks that no launch since the last reset had; and block 0, which has a part of its own in some algorithms.
    wrong += missed(16, 0, 1u << 3 | 1u << 15 | 1u, "3 blocks have not arrived: 0, 3, 15.");
    wrong += missed(16, 1, 0xFFFEu, "15 blocks have not arrived: 1, 2, 3, 4, 5, 6, 7, 8, ….");
    if (!wrong.empty()) return wrong;

    // A larger grid before, so that the blocks of this one have older arrivals behind them.
    wrong += complaint_of([&] { launch(16, 2, 0, 0); });
    if (wrong.empty()) wrong += complaint_of([&] { launch(2, 5, 0, 0); });
    if (wrong.empty()) wrong += missed(6, 0, 1u << 2 | 1u << 5, "2 blocks have not arrived: 2, 5.");

    // And all is well again.
    out = test::filled<unsigned>(16);
    if (wrong.empty()) wrong += complaint_of([&] { launch(16, 4, 1u << 7, one_second / 100); });
    if (wrong.empty()) wrong += test::difference(out, std::vector<unsigned>(16, 1));
    return wrong;
  });
}

TEST_CASE("host: a block that has returned misses the deadline of the others") {
  using barrier = fm::grid_barrier<fm::monotonic, fm::with_deadline>;
  in_time([](milliseconds limit) {
    fm::grid_barrier_storage<fm::monotonic, fm::with_deadline> storage(test::gpu(), limit);
    return complaint_about("monotonic", 5, limit, "1 block has not arrived: 1.", [&] {
      test::run_cooperative({5, 33}, leave_early<barrier>, storage.barrier(), 1u << 1);
    });
  });
}

TEST_CASE("host: without a deadline the executor reports what cannot end") {
  using barrier = fm::grid_barrier<fm::monotonic, fm::no_deadline>;
  fm::grid_barrier_storage<fm::monotonic, fm::no_deadline> storage(test::gpu());
  test::caught const e = test::error_of([&] {
    test::run_cooperative({5, 33}, leave_early<barrier>, storage.barrier(), 1u << 1);
  });
  CHECK(e.code == fm::errc::deadlock);
}
