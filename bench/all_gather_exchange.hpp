// All-gather by waiting for the data themselves: the kernel, and the rows of one protocol.
#pragma once

#include "all_gather.hpp"

namespace bench {

template <class Protocol, unsigned Threads, unsigned InFlight>
FERMATA_KERNEL_BOUNDS(Threads, 1)
gather(fm::exchange<float, Protocol> exchange, trial t) {
  auto all = exchange.template open<Threads, InFlight>();
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
  static constexpr unsigned per_unit = fm::detail::exchange_codec<float, Protocol>::values_per_unit;

 public:
  exchange_experiment(bench::rig& r, bool fault, unsigned floats)
      : all_gather_experiment(r, fault, fm::detail::shape_of_exchange<float, Protocol>(r.multiprocessors(), floats),
                              per_unit, Threads),
        storage_(r.device(), blocks(), floats) {}

 private:
  void launch(trial const& t) override {
    constexpr unsigned most = (most_floats_of_rows(Threads) / per_unit + Threads - 1) / Threads;
    with_in_flight<most>(units_a_thread(), [&]<unsigned InFlight>() {
      fm::launch_cooperative(rig().stream(), {blocks(), Threads}, gather<Protocol, Threads, InFlight>,
                             storage_.handle(), t);
    });
  }

  fm::exchange_storage<float, Protocol> storage_;
};

template <class Protocol>
struct by_exchange {
  template <unsigned Threads>
  struct with {
    static std::unique_ptr<experiment> make(rig& r, bool fault, unsigned floats) {
      return std::make_unique<exchange_experiment<Protocol, Threads>>(r, fault, floats);
    }
  };
};

template <class Protocol>
void add_exchange_rows(rig& r, std::string const& name) {
  add_all_gather_rows<by_exchange<Protocol>::template with>(r, name);
}

// One per file, so that they compile beside each other.
void add_all_gather_form_rows(rig& r);

}  // namespace bench
