// A chain of blocks, each waiting for the datum of the one before it: the time of one hop.
//
// The chain goes round the multiprocessors many times. Every hop has a slot of its own, on a line of its own.
#include <algorithm>
#include <type_traits>

#include "harness.hpp"

namespace bench {
namespace {

// The links: what a hop goes through. `epoch` differs from launch to launch and is never 0.

struct sentinel_link {
  alignas(128) fm::sentinel<float> slot;

  FERMATA_DEVICE float receive(std::uint32_t) const noexcept { return slot.await(); }
  FERMATA_DEVICE void send(float value, std::uint32_t) noexcept { slot.publish(value); }
};

struct flagged_link {
  alignas(128) fm::flagged<float> slot;

  FERMATA_DEVICE float receive(std::uint32_t epoch) const noexcept { return slot.await(epoch); }
  FERMATA_DEVICE void send(float value, std::uint32_t epoch) noexcept { slot.publish(value, epoch); }
};

struct flag_link {
  alignas(128) float datum = 0;
  alignas(128) std::uint32_t flag = 0;

  FERMATA_DEVICE float receive(std::uint32_t epoch) noexcept {
    fm::device_atomic_ref<std::uint32_t>(flag).wait(epoch - 1, fm::memory_order_acquire);
    return datum;
  }
  FERMATA_DEVICE void send(float value, std::uint32_t epoch) noexcept {
    datum = value;
    fm::device_atomic_ref<std::uint32_t>(flag).store(epoch, fm::memory_order_release);
  }
};

// The value that hop 0 sends; each hop adds one. Whole numbers below 2^24, which float holds exactly, and different
// ones in launches that follow each other.
FERMATA_DEVICE float first_value(std::uint32_t epoch) noexcept { return static_cast<float>((epoch & 255) << 15); }
constexpr unsigned most_hops = 1u << 15;

// An iteration is one round of all blocks.
template <class Link>
FERMATA_KERNEL pass_along(Link* links, std::uint32_t epoch, trial t) {
  unsigned const blocks = fm::this_grid().num_blocks();
  unsigned const block = fm::this_grid().block_rank();
  stopwatch watch(t, block == 0);
  float const first = first_value(epoch);
  Link* mine = links + block;
  unsigned hop = block;
  bool wrong = false;
  for (unsigned round = 0; round < t.end(); ++round, mine += blocks, hop += blocks) {
    // Made ready before the wait: between receiving and sending there is one addition.
    float const increment = 1.0f + static_cast<float>(block == 0 ? t.corruption(round) : 0u);
    float const value = hop == 0 ? first - 1 : (mine - 1)->receive(epoch);
    watch.lap(round);
    mine->send(value + increment, epoch);
    wrong |= bits_of(value) != bits_of(first + static_cast<float>(hop) - 1);
  }
  // The last hop comes back to block 0, which started the clock on the same occasion.
  if (block == 0) wrong |= bits_of((mine - 1)->receive(epoch)) != bits_of(first + static_cast<float>(hop) - 1);
  watch.stop();
  report(t, wrong);
}

template <class Link>
class chain_experiment : public in_kernel {
 public:
  chain_experiment(bench::rig& r, bool fault)
      : in_kernel(r, fault), blocks_(std::max(2u, r.multiprocessors())), links_(r.device(), plan().end() * blocks_) {
    if (links_.size() > most_hops)
      throw fm::error(fm::errc::invalid_argument,
                      "chain: " + std::to_string(links_.size()) + " hops are more than float counts");
    links_.fill(r.stream(), Link{});
  }

 private:
  void prepare() override {
    ++epoch_;
    // A sentinel must be emptied; the others tell launches apart.
    if constexpr (std::is_same_v<Link, sentinel_link>) links_.fill(rig().stream(), Link{});
  }
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {blocks_, 1}, pass_along<Link>, links_.data(), epoch_, t);
  }
  unsigned iterations_for(unsigned operations) const override { return (operations + blocks_ - 1) / blocks_; }
  double operations_per_iteration() const override { return blocks_; }

  unsigned blocks_;
  fm::buffer<Link> links_;
  std::uint32_t epoch_ = 0;
};

template <class Link>
void add_chain(rig& r, char const* protocol) {
  add_row(r, std::string("chain/") + protocol,
          [](rig& r, bool fault) { return std::make_unique<chain_experiment<Link>>(r, fault); });
}

}  // namespace

void add_chain_rows(rig& r) {
  add_chain<sentinel_link>(r, "sentinel");
  add_chain<flagged_link>(r, "flagged");
  add_chain<flag_link>(r, "flag");
}

}  // namespace bench
