// Many threads on few counters: what it costs when every thread of the grid counts once.
//
// An operation is a round: each thread adds once. The blocks meet before the clock starts, and it stops when the last
// of them has finished, so that nobody's speed is paid for by others. Then block 0 compares all counters with what must
// be there. Keys are such that it is known: they go round with the thread and the iteration.
#include <algorithm>
#include <set>

#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned few_keys = 4;

// Where the blocks meet, on a line of its own.
struct alignas(128) gate {
  fm::counter<> arrived;
};

// What a kernel works on.
struct contest {
  std::uint32_t* counters;
  gate* start;
  gate* end;
};

// Each counter of the first rows has a line of its own.
constexpr unsigned stride = sizeof(line) / sizeof(std::uint32_t);

// count(iteration, extra) lets the calling thread count once, and tells if it saw something wrong; with `extra` it is
// the one that is to be wrong. finish() comes behind the last, inside the time. expected(k) is what one round adds to
// counters[k * distance], for k < size.
template <class Count, class Finish, class Expected>
FERMATA_DEVICE void run_rounds(contest const& c, trial const& t, unsigned size, unsigned distance, Count count,
                               Finish finish, Expected expected) {
  unsigned const blocks = fm::this_grid().num_blocks();
  bool const first = fm::this_grid().thread_rank() == 0;
  stopwatch watch(t, first);
  bool wrong = false;
  for (unsigned i = 0; i < t.end(); ++i) {
    if (i == t.warm_up) {
      c.start->arrived.signal_block();
      c.start->arrived.await_block(blocks);
    }
    watch.lap(i);
    wrong |= count(i, first && t.corruption(i) != 0);
  }
  finish();
  c.end->arrived.signal_block();
  if (fm::this_grid().block_rank() == 0) {
    c.end->arrived.await_block(blocks);
    watch.stop();
    for (unsigned k = fm::this_block().thread_rank(); k < size; k += threads)
      wrong |= c.counters[k * distance] != expected(k) * t.end();
  }
  report(t, wrong);
}

FERMATA_DEVICE unsigned grid_threads() { return fm::this_grid().num_blocks() * threads; }
FERMATA_DEVICE unsigned grid_thread() { return static_cast<unsigned>(fm::this_grid().thread_rank()); }

// All on one counter; how(counter, extra) returns the old value. A thread's own old values go up.
template <class How>
FERMATA_DEVICE void count_on_one(contest const& c, trial const& t, How how) {
  fm::device_atomic_ref<std::uint32_t> const counter(*c.counters);
  std::uint32_t least = 0;
  run_rounds(
      c, t, 1, stride,
      [&](unsigned, bool extra) {
        std::uint32_t const old = how(counter, extra);
        bool const wrong = old < least;
        least = old + 1;
        return wrong;
      },
      [] {}, [](unsigned) { return grid_threads(); });
}

FERMATA_KERNEL_BOUNDS(threads) one_plain(contest c, trial t) {
  count_on_one(c, t, [](auto counter, bool extra) {
    if (extra) counter.fetch_add(1, fm::memory_order_relaxed);
    return counter.fetch_add(1, fm::memory_order_relaxed);
  });
}

// What one writes who knows that the whole wave is there, and that it is one counter.
FERMATA_KERNEL_BOUNDS(threads) one_by_hand(contest c, trial t) {
  count_on_one(c, t, [](auto counter, bool extra) {
    if (extra) counter.fetch_add(1, fm::memory_order_relaxed);
    auto const wave = fm::this_wave();
    std::uint32_t old = 0;
    if (wave.lane() == 0) old = counter.fetch_add(wave.size(), fm::memory_order_relaxed);
    return wave.broadcast(old, 0) + wave.lane();
  });
}

FERMATA_KERNEL_BOUNDS(threads) one_aggregated(contest c, trial t) {
  count_on_one(c, t, [](auto counter, bool extra) {
    if (extra) counter.fetch_add(1, fm::memory_order_relaxed);
    return fm::aggregated_fetch_add(counter, 1, fm::memory_order_relaxed);
  });
}

FERMATA_KERNEL_BOUNDS(threads) one_incremented(contest c, trial t) {
  count_on_one(c, t, [](auto counter, bool extra) {
    if (extra) counter.fetch_add(1, fm::memory_order_relaxed);
    return fm::aggregated_increment(counter, fm::memory_order_relaxed);
  });
}

// Each wave on four counters, mixed among its lanes; how(counter) returns the old value, or anything small.
template <class How>
FERMATA_DEVICE void count_on_few(contest const& c, trial const& t, How how) {
  std::uint32_t const most = grid_threads() * t.end();
  unsigned const thread = grid_thread();
  run_rounds(
      c, t, few_keys, stride,
      [&](unsigned i, bool extra) {
        unsigned const key = (thread + thread / few_keys + i + (extra ? 1 : 0)) % few_keys;
        return how(fm::device_atomic_ref<std::uint32_t>(c.counters[key * stride])) >= most;
      },
      [] {}, [](unsigned) { return grid_threads() / few_keys; });
}

FERMATA_KERNEL_BOUNDS(threads) few_plain(contest c, trial t) {
  count_on_few(c, t, [](auto counter) { return counter.fetch_add(1, fm::memory_order_relaxed); });
}
FERMATA_KERNEL_BOUNDS(threads) few_aggregated(contest c, trial t) {
  count_on_few(c, t, [](auto counter) { return fm::aggregated_fetch_add(counter, 1, fm::memory_order_relaxed); });
}
FERMATA_KERNEL_BOUNDS(threads) few_plain_without_old(contest c, trial t) {
  count_on_few(c, t, [](auto counter) {
    (void)counter.fetch_add(1, fm::memory_order_relaxed);
    return std::uint32_t{0};
  });
}
FERMATA_KERNEL_BOUNDS(threads) few_aggregated_without_old(contest c, trial t) {
  count_on_few(c, t, [](auto counter) {
    fm::aggregated_add(counter, 1, fm::memory_order_relaxed);
    return std::uint32_t{0};
  });
}

// Three of four threads count in the same bin, the others go round.
template <unsigned Bins>
struct skewed_keys {
  static constexpr unsigned popular = Bins / 2;

  FERMATA_DEVICE static unsigned key(unsigned thread, unsigned i) {
    return thread % 4 != 0 ? popular : (thread / 4 + i) % Bins;
  }
  FERMATA_DEVICE static std::uint32_t expected(unsigned bin) {
    return grid_threads() / 4 / Bins + (bin == popular ? grid_threads() / 4 * 3 : 0);
  }
};

template <unsigned Bins, class Add, class Finish>
FERMATA_DEVICE void count_in_bins(contest const& c, trial const& t, Add add, Finish finish) {
  static_assert(threads / 4 % Bins == 0, "every block fills the bins evenly");
  unsigned const thread = grid_thread();
  run_rounds(
      c, t, Bins, 1,
      [&](unsigned i, bool extra) {
        add((skewed_keys<Bins>::key(thread, i) + (extra ? 1 : 0)) % Bins);
        return false;
      },
      finish, [](unsigned bin) { return skewed_keys<Bins>::expected(bin); });
}

template <unsigned Bins>
FERMATA_KERNEL_BOUNDS(threads)
bins_in_global_memory(contest c, trial t) {
  count_in_bins<Bins>(
      c, t,
      [&](unsigned bin) {
        (void)fm::device_atomic_ref<std::uint32_t>(c.counters[bin]).fetch_add(1, fm::memory_order_relaxed);
      },
      [] {});
}

template <unsigned Bins, unsigned Replicas>
FERMATA_KERNEL_BOUNDS(threads)
bins_in_shared_memory(contest c, trial t) {
  FERMATA_SHARED(histogram, fm::privatized_histogram<Bins, Replicas>);
  histogram.clear();
  count_in_bins<Bins>(
      c, t, [&](unsigned bin) { histogram.add(bin); }, [&] { histogram.merge_into(c.counters); });
}

template <unsigned Bins>
FERMATA_KERNEL_BOUNDS(threads)
bins_in_registers(contest c, trial t) {
  fm::register_histogram<Bins> histogram;
  count_in_bins<Bins>(
      c, t, [&](unsigned bin) { histogram.add(bin); }, [&] { histogram.merge_into(c.counters); });
}

using kernel = void (*)(contest, trial);

class contention_experiment : public in_kernel {
 public:
  contention_experiment(bench::rig& r, bool fault, kernel k, unsigned blocks)
      : in_kernel(r, fault), kernel_(k), blocks_(blocks), counters_(r.device(), 64 * stride), gates_(r.device(), 2) {}

 private:
  void prepare() override {
    counters_.fill_bytes(rig().stream(), 0);
    gates_.fill_bytes(rig().stream(), 0);
  }
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {blocks_, threads}, kernel_,
                           contest{counters_.data(), gates_.data(), gates_.data() + 1}, t);
  }
  // A round is an operation of every thread of the grid.
  unsigned iterations_for(unsigned operations) const override { return std::min(operations, 1000u); }

  kernel kernel_;
  unsigned blocks_;
  fm::buffer<std::uint32_t> counters_;
  fm::buffer<gate> gates_;
};

struct contestant {
  char const* name;
  kernel code;
};

constexpr contestant contestants[] = {
    {"one_address/plain", one_plain},
    {"one_address/by_hand", one_by_hand},
    {"one_address/aggregated", one_aggregated},
    {"one_address/incremented", one_incremented},
    {"four_keys/plain", few_plain},
    {"four_keys/aggregated", few_aggregated},
    {"four_keys/plain_without_old", few_plain_without_old},
    {"four_keys/aggregated_without_old", few_aggregated_without_old},
    {"bins:64/global", bins_in_global_memory<64>},
    {"bins:64/privatized", bins_in_shared_memory<64, 1>},
    {"bins:64/privatized_by_8", bins_in_shared_memory<64, 8>},
    {"bins:8/global", bins_in_global_memory<8>},
    {"bins:8/privatized_by_8", bins_in_shared_memory<8, 8>},
    {"bins:8/registers", bins_in_registers<8>},
};

}  // namespace

void add_contention_rows(rig& r) {
  // As many blocks as multiprocessors, and as many as can be resident with every one of them.
  unsigned most = ~0u;
  for (contestant const& c : contestants) most = std::min(most, r.max_blocks(c.code, threads));
  for (contestant const& c : contestants)
    for (unsigned const blocks : std::set<unsigned>{std::min(r.multiprocessors(), most), most})
      add_row(r, std::string("contention/") + c.name + "/blocks:" + std::to_string(blocks),
              [code = c.code, blocks](rig& r, bool fault) {
                return std::make_unique<contention_experiment>(r, fault, code, blocks);
              });
}

}  // namespace bench
