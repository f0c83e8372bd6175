// All-gather by waiting for the data themselves: sentinel and flagged.
#include "all_gather.hpp"

namespace bench {
namespace {

using sentinel = fm::detail::sentinel_protocol<float>;
using flagged = fm::detail::flagged_protocol<float>;

template <class Protocol, unsigned Threads, unsigned InFlight>
FERMATA_KERNEL_BOUNDS(Threads)
gather(std::uint32_t* memory, unsigned units_per_block, trial t) {
  fm::detail::exchange<Protocol, Threads, InFlight> all(memory, units_per_block);
  stopwatch watch(t, fm::this_grid().thread_rank() == 0);
  std::uint32_t difference = 0;
  for (unsigned step = 0; step < t.end(); ++step) {
    watch.lap(step);
    all.publish(
        [&](unsigned index) { return float_of(all_gather_bits(step, index) ^ (index == 0 ? t.corruption(step) : 0)); });
    all.await_all([&](unsigned index, float value) { difference |= bits_of(value) ^ all_gather_bits(step, index); });
    all.advance();
  }
  watch.stop();
  report(t, difference != 0);
}

template <class Protocol, unsigned Threads>
class exchange_experiment : public all_gather_experiment {
 public:
  exchange_experiment(bench::rig& r, bool fault, unsigned floats)
      : all_gather_experiment(r, fault, fm::detail::shape_of_exchange<Protocol>(r.multiprocessors(), floats),
                              Protocol::values_per_unit, Threads),
        memory_(r.device(), shape().words) {}

 private:
  void prepare() override { memory_.fill(rig().stream(), Protocol::initial_word); }
  void launch(trial const& t) override {
    with_in_flight(units_a_thread(), [&]<unsigned InFlight>() {
      fm::launch_cooperative(rig().stream(), {blocks(), Threads}, gather<Protocol, Threads, InFlight>, memory_.data(),
                             shape().units_per_block, t);
    });
  }

  fm::buffer<std::uint32_t> memory_;
};

template <class Protocol>
struct of {
  template <unsigned Threads>
  struct with {
    static std::unique_ptr<experiment> make(rig& r, bool fault, unsigned floats) {
      return std::make_unique<exchange_experiment<Protocol, Threads>>(r, fault, floats);
    }
  };
};

}  // namespace

void add_all_gather_exchange_rows(rig& r) {
  add_all_gather_rows<of<sentinel>::with>(r, "sentinel");
  add_all_gather_rows<of<flagged>::with>(r, "flagged");
}

}  // namespace bench
