// The end of one kernel and the start of the next, as a barrier: what grid barriers and sentinels compete with.
//
// As many blocks as there are multiprocessors; every block reads its neighbour's word of the kernel before and writes
// its own plus one, into the other of two arrays. Timed by events around a train of kernels.
#include <optional>
#include <string>
#include <vector>

#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 256;

FERMATA_KERNEL_BOUNDS(threads) pass_on(line const* from, line* to) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const block = fm::this_grid().block_rank();
  unsigned const neighbour = block + 1 == fm::this_grid().num_blocks() ? 0 : block + 1;
  to[block].word = from[neighbour].word + 1;
}

enum class how { stream, graph };

class boundary_experiment : public experiment {
 public:
  boundary_experiment(rig& r, bool fault, how h)
      : rig_(r),
        fault_(fault),
        kernels_(r.how_much().iterations / 2 * 2),
        a_(r.device(), r.multiprocessors()),
        b_(r.device(), r.multiprocessors()),
        start_(r.device()),
        stop_(r.device()) {
    if (h == how::graph) graph_.emplace(fm::graph::capture(r.stream(), [this] { queue_all(); }));
  }

  sample run() override {
    fm::stream const& s = rig_.stream();
    std::vector<line> words(a_.size(), line{first_});
    if (fault_) words.front().word ^= 0x100;
    a_.upload(s, std::span<line const>(words));
    s.synchronize();

    start_.record(s);
    if (graph_)
      graph_->launch(s);
    else
      queue_all();
    stop_.record(s);
    s.synchronize();

    double const each = stop_.microseconds_since(start_) / kernels_;
    sample result{each, each, std::nullopt, std::nullopt};
    a_.download(s, std::span<line>(words));
    unsigned wrong = 0;
    for (line const& l : words) wrong += l.word != first_ + kernels_;
    if (wrong != 0)
      result.wrong = "wrong data: " + std::to_string(wrong) +
                     " block(s) ended with a word that was not counted up by every kernel";
    first_ += kernels_;
    return result;
  }

 private:
  void queue_all() {
    fm::stream const& s = rig_.stream();
    fm::launch_config const shape{rig_.multiprocessors(), threads};
    for (unsigned k = 0; k < kernels_; k += 2) {
      fm::launch(s, shape, pass_on, a_.data(), b_.data());
      fm::launch(s, shape, pass_on, b_.data(), a_.data());
    }
  }

  rig& rig_;
  bool fault_;
  unsigned kernels_;
  std::uint32_t first_ = 1;
  fm::buffer<line> a_, b_;
  fm::event start_, stop_;
  std::optional<fm::graph> graph_;
};

}  // namespace

void add_kernel_boundary_rows(rig& r) {
  add_row(r, "kernel_boundary/stream",
          [](rig& r, bool fault) { return std::make_unique<boundary_experiment>(r, fault, how::stream); });
  add_row(r, "kernel_boundary/graph",
          [](rig& r, bool fault) { return std::make_unique<boundary_experiment>(r, fault, how::graph); });
}

}  // namespace bench
