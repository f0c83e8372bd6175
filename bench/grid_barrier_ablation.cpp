// What a grid barrier's time is made of: the monotonic barrier with one of its costs taken out in turn. Only `all` is a
// barrier; the others order less than a program needs, so these rows check the count of arrivals and no data.
//
//   ablation/sync/<what>    the crossing alone
//   ablation/split/<what>   1 µs of work of every thread between arriving and waiting, as in grid_barrier_split
//
// all; relaxed_arrival: no release; relaxed_wait: no acquire; relaxed: neither; no_wait: nobody waits for the others.
#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 256;

struct all {};
struct relaxed_arrival {};
struct relaxed_wait {};
struct relaxed {};
struct no_wait {};

template <class What>
FERMATA_KERNEL_BOUNDS(threads)
cross_without(std::uint32_t* word, std::uint64_t work, trial t) {
  constexpr bool releases = std::is_same_v<What, all> || std::is_same_v<What, relaxed_wait>;
  constexpr bool acquires = std::is_same_v<What, all> || std::is_same_v<What, relaxed_arrival>;
  using count = fm::detail::arrival_count;
  fm::device_atomic_ref<std::uint32_t> const arrived(*word);
  unsigned const blocks = fm::this_grid().num_blocks(), block = fm::this_grid().block_rank();
  bool const leader = fm::backend::leads_block();
  std::uint32_t const amount = count::amount(block, blocks);
  stopwatch watch(t, block == 0 && leader);
  for (unsigned i = 0; i < t.end(); ++i) {
    watch.lap(i);
    fm::this_block().sync();
    std::uint32_t old = 0;
    std::uint64_t arrival = 0;
    if (leader) {
      old = releases ? arrived.fetch_add(amount, fm::memory_order_release)
                     : arrived.fetch_add(amount, fm::memory_order_relaxed);
      arrival = fm::backend::cycle_stamp();
    }
    if (work != 0) {
      std::uint64_t const start = fm::cycle_clock();
      while (fm::cycle_clock() - start < work) {
      }
    }
    if (leader && !std::is_same_v<What, no_wait>) {
      fm::backend::wait_until(arrival, fm::backend::grid_barrier_first_poll(blocks));
      constexpr auto order = acquires ? std::memory_order_acquire : std::memory_order_relaxed;
      fm::backend::atomic_await<fm::thread_scope::device, order>(
          word, [old](std::uint32_t now) { return count::is_over(old, now); });
    }
    fm::this_block().sync();
  }
  watch.stop();
  // The highest byte of the word counts the crossings, around and around.
  report(t, leader && !std::is_same_v<What, no_wait> &&
                (arrived.load(fm::memory_order_relaxed) & ~(count::quantum - 1)) != t.end() * count::quantum);
}

template <class What>
class ablation : public in_kernel {
 public:
  ablation(bench::rig& r, bool fault, bool split)
      : in_kernel(r, fault),
        work_(split ? static_cast<std::uint64_t>(r.device().info().cycle_clock_rate * 1e-6) : 0),
        word_(r.device(), 1) {}

 private:
  void prepare() override { word_.fill(rig().stream(), 0u); }
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {rig().multiprocessors(), threads}, cross_without<What>, word_.data(), work_,
                           t);
  }

  std::uint64_t work_;
  fm::buffer<std::uint32_t> word_;
};

template <class What>
void add(rig& r, std::string const& name) {
  for (bool split : {false, true})
    add_row(r, "ablation/" + std::string(split ? "split/" : "sync/") + name,
            [split](rig& r, bool fault) { return std::make_unique<ablation<What>>(r, fault, split); });
}

}  // namespace

void add_grid_barrier_ablation_rows(rig& r) {
  add<all>(r, "all");
  add<relaxed_arrival>(r, "relaxed_arrival");
  add<relaxed_wait>(r, "relaxed_wait");
  add<relaxed>(r, "relaxed");
  add<no_wait>(r, "no_wait");
}

}  // namespace bench
