// What a grid barrier's time is made of: the barrier of one word with one of its costs taken out in turn.
//
//   ablation/sync/<what>    the crossing alone
//   ablation/split/<what>   1 µs of work of every thread between arriving and waiting, as in grid_barrier_split, whose
//                           row work_alone is to be taken off
//
//   all                     the leader arrives, and polls
//   relaxed_arrival         no release
//   relaxed_wait            no acquire
//   relaxed                 neither
//   no_wait                 the release and the arrival; nobody waits for the others
// and, split, what the barrier costs beside work that would hide it:
//   second_wave             the leader arrives, and a thread of another wave polls, so that no poll queues up behind
//                           the release; that thread has read the word before its block arrived. For long work it is
//                           the better form, for short work and many blocks the worse one (split_second_wave.txt among
//                           the results)
//   second_wave_relaxed     the same without release and acquire: what is left when nothing is ordered
//   poll_alone              a poll that succeeds at once; nobody arrives
//
// `all` and `second_wave` are barriers, whose data are checked; the others order less than a program needs, and only
// their arrivals are counted. Every form carries the same data, one word of a block in every sixteenth crossing.
#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 256;

enum class poller { nobody, leader, second_wave };

// The barrier, and what the other forms have in its place. Types, as not every compiler has kernels of objects.
struct all {
  static constexpr poller polls = poller::leader;
  static constexpr bool releases = true, acquires = true;
  static constexpr bool arrives = true;  // if not, every poll succeeds
};
struct relaxed_arrival : all {
  static constexpr bool releases = false;
};
struct relaxed_wait : all {
  static constexpr bool acquires = false;
};
struct relaxed : all {
  static constexpr bool releases = false, acquires = false;
};
struct no_wait : all {
  static constexpr poller polls = poller::nobody;
};
struct second_wave : all {
  static constexpr poller polls = poller::second_wave;
};
struct second_wave_relaxed : relaxed {
  static constexpr poller polls = poller::second_wave;
};
struct poll_alone : second_wave {
  static constexpr bool arrives = false;
};

FERMATA_DEVICE std::uint32_t datum(unsigned iteration, unsigned block) noexcept { return iteration + (block << 20); }

// The data are those of grid_barrier.cpp; relaxed, so that a form that orders too little has an old value and no race.
template <class What>
FERMATA_KERNEL_BOUNDS(threads)
cross_without(std::uint32_t* word, line* slots, std::uint64_t work, trial t) {
  using count = fm::detail::arrival_count;
  constexpr bool is_barrier = What::polls != poller::nobody && What::releases && What::acquires && What::arrives;
  constexpr auto order = What::acquires ? std::memory_order_acquire : std::memory_order_relaxed;
  fm::device_atomic_ref<std::uint32_t> const arrived(*word);
  unsigned const blocks = fm::this_grid().num_blocks(), block = fm::this_grid().block_rank();
  unsigned const thread = fm::this_block().thread_rank();
  bool const leader = fm::backend::leads_block(), carrier = thread == threads - 1;
  bool const polls = What::polls == poller::leader        ? leader
                     : What::polls == poller::second_wave ? thread == fm::backend::wave_size()
                                                          : false;
  std::uint32_t const amount = count::amount(block, blocks);
  unsigned neighbour = block;
  std::uint32_t expected = 0, seen = 0;
  bool wrong = false;
  stopwatch watch(t, block == 0 && leader);
  for (unsigned i = 0; i < t.end(); ++i) {
    watch.lap(i);
    line* const set = slots + (i & 1) * blocks;
    bool const carries = carrier && (i % 16 == 0 || i == t.fault_at);
    if (carries) fm::detail::relaxed_store(set[block].word, datum(i, block) ^ (block == 0 ? t.corruption(i) : 0));
    std::uint32_t old = 0;
    if (What::polls == poller::second_wave && polls) old = arrived.load(fm::memory_order_relaxed);
    fm::this_block().sync();
    if (What::arrives && leader) {
      std::uint32_t const before = What::releases ? arrived.fetch_add(amount, fm::memory_order_release)
                                                  : arrived.fetch_add(amount, fm::memory_order_relaxed);
      if (What::polls == poller::leader) old = before;
    }
    std::uint64_t const arrival = fm::backend::cycle_stamp();
    if (work != 0) {
      std::uint64_t const start = fm::cycle_clock();
      while (fm::cycle_clock() - start < work) {
      }
    }
    if (polls) {
      fm::backend::wait_until(arrival, fm::backend::grid_barrier_first_poll(blocks));
      fm::backend::atomic_await<fm::thread_scope::device, order>(
          word, [old](std::uint32_t now) { return !What::arrives || count::is_over(old, now); });
    }
    fm::this_block().sync();
    if (carries) {
      wrong |= seen != expected;
      seen = fm::detail::relaxed_load(set[neighbour].word);
      expected = datum(i, neighbour);
      if (++neighbour == blocks) neighbour = 0;
    }
  }
  watch.stop();
  report(t, is_barrier && carrier && (wrong || seen != expected));
  // The highest byte of the word counts the crossings, around and around. Whoever has not waited cannot tell.
  std::uint32_t const crossings = What::arrives ? t.end() : 0;
  std::uint32_t const counted = arrived.load(fm::memory_order_relaxed) & ~(count::quantum - 1);
  report(t, What::polls != poller::nobody && leader && counted != crossings * count::quantum);
}

template <class What>
class ablation : public in_kernel {
 public:
  ablation(bench::rig& r, bool fault, bool split)
      : in_kernel(r, fault),
        work_(split ? static_cast<std::uint64_t>(r.device().info().cycle_clock_rate * 1e-6) : 0),
        word_(r.device(), 1),
        slots_(r.device(), 2 * r.multiprocessors()) {}

 private:
  void prepare() override { word_.fill(rig().stream(), 0u); }
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {rig().multiprocessors(), threads}, cross_without<What>, word_.data(),
                           slots_.data(), work_, t);
  }

  std::uint64_t work_;
  fm::buffer<std::uint32_t> word_;
  fm::buffer<line> slots_;
};

template <class What>
void add(rig& r, std::string const& name) {
  add_row(r, "ablation/" + name, [split = name.starts_with("split/")](rig& r, bool fault) {
    return std::make_unique<ablation<What>>(r, fault, split);
  });
}

}  // namespace

void add_grid_barrier_ablation_rows(rig& r) {
  for (std::string const when : {"sync/", "split/"}) {
    add<all>(r, when + "all");
    add<relaxed_arrival>(r, when + "relaxed_arrival");
    add<relaxed_wait>(r, when + "relaxed_wait");
    add<relaxed>(r, when + "relaxed");
    add<no_wait>(r, when + "no_wait");
  }
  add<second_wave>(r, "split/second_wave");
  add<second_wave_relaxed>(r, "split/second_wave_relaxed");
  add<poll_alone>(r, "split/poll_alone");
}

}  // namespace bench
