// One-way signals between two blocks: ping-pong, half of a round trip.
//
// The two blocks and the lines they use change from launch to launch: how far a line is from a multiprocessor differs,
// and a chain, to which these rows are compared, meets all distances.
#include <algorithm>

#include "harness.hpp"

namespace bench {
namespace {

// What the datum of one direction is made into for the way back.
constexpr std::uint32_t reply_offset = 0x01000000;

FERMATA_DEVICE std::uint32_t datum(unsigned iteration) noexcept { return iteration + 1; }

// Waits, relaxed, until the word differs from `last`, and returns it: the value is its own flag.
FERMATA_DEVICE std::uint32_t await_change(std::uint32_t& word, std::uint32_t last) noexcept {
  fm::device_atomic_ref<std::uint32_t> const ref(word);
  std::uint32_t seen = ref.load(fm::memory_order_relaxed);
  while (seen == last) seen = ref.load(fm::memory_order_relaxed);
  return seen;
}

FERMATA_KERNEL signal_relaxed(line* lines, unsigned partner, trial t) {
  unsigned const block = fm::this_grid().block_rank();
  if (block != 0 && block != partner) return;
  stopwatch watch(t, block == 0);
  std::uint32_t& ping = lines[0].word;
  std::uint32_t& pong = lines[1].word;
  std::uint32_t last = 0;
  bool wrong = false;
  if (block == 0) {
    for (unsigned i = 0; i < t.end(); ++i) {
      watch.lap(i);
      fm::device_atomic_ref<std::uint32_t>(ping).store(datum(i) ^ t.corruption(i), fm::memory_order_relaxed);
      last = await_change(pong, last);
      wrong |= last != datum(i) + reply_offset;
    }
  } else {
    for (unsigned i = 0; i < t.end(); ++i) {
      last = await_change(ping, last);
      fm::device_atomic_ref<std::uint32_t>(pong).store(last + reply_offset, fm::memory_order_relaxed);
      wrong |= last != datum(i);
    }
  }
  watch.stop();
  report(t, wrong);
}

// A flag that is released and acquired, and a plain datum that it carries, on a line of its own.
FERMATA_KERNEL signal_release_acquire(line* lines, unsigned partner, trial t) {
  unsigned const block = fm::this_grid().block_rank();
  if (block != 0 && block != partner) return;
  stopwatch watch(t, block == 0);
  fm::device_atomic_ref<std::uint32_t> const ping(lines[0].word), pong(lines[1].word);
  std::uint32_t& ping_datum = lines[2].word;
  std::uint32_t& pong_datum = lines[3].word;
  bool wrong = false;
  if (block == 0) {
    for (unsigned i = 0; i < t.end(); ++i) {
      watch.lap(i);
      ping_datum = datum(i) ^ t.corruption(i);
      ping.store(i + 1, fm::memory_order_release);
      pong.wait(i, fm::memory_order_acquire);
      wrong |= pong_datum != datum(i) + reply_offset;
    }
  } else {
    for (unsigned i = 0; i < t.end(); ++i) {
      ping.wait(i, fm::memory_order_acquire);
      std::uint32_t const seen = ping_datum;
      pong_datum = seen + reply_offset;
      pong.store(i + 1, fm::memory_order_release);
      wrong |= seen != datum(i);
    }
  }
  watch.stop();
  report(t, wrong);
}

using kernel = void (*)(line*, unsigned, trial);

class signal_experiment : public in_kernel {
 public:
  signal_experiment(bench::rig& r, bool fault, kernel k)
      : in_kernel(r, fault),
        kernel_(k),
        blocks_(std::max(2u, r.multiprocessors())),
        lines_(r.device(), places * lines_per_place) {}

 private:
  static constexpr unsigned places = 61, lines_per_place = 4;

  void prepare() override { lines_.fill_bytes(rig().stream(), 0); }
  void launch(trial const& t) override {
    unsigned const n = next_place++;
    fm::launch_cooperative(rig().stream(), {blocks_, 1}, kernel_, lines_.data() + n % places * lines_per_place,
                           1 + n * 37 % (blocks_ - 1), t);
  }
  double operations_per_iteration() const override { return 2; }

  // Shared by all repetitions and both rows, so that they go through the same places.
  static inline unsigned next_place = 0;

  kernel kernel_;
  unsigned blocks_;
  fm::buffer<line> lines_;
};

}  // namespace

void add_signal_rows(rig& r) {
  add_row(r, "signal/relaxed",
          [](rig& r, bool fault) { return std::make_unique<signal_experiment>(r, fault, signal_relaxed); });
  add_row(r, "signal/release_acquire",
          [](rig& r, bool fault) { return std::make_unique<signal_experiment>(r, fault, signal_release_acquire); });
}

}  // namespace bench
