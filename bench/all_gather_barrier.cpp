// All-gather by writing, a grid barrier, and reading: plain 16-byte accesses, two buffers in turn. A buffer is written
// again two steps later, beyond the barrier of the step between, which every block enters after it has read.
#include "all_gather.hpp"

namespace bench {
namespace {

struct alignas(16) floats4 {
  float value[4];
};

template <class Algorithm, unsigned Threads, unsigned InFlight>
FERMATA_KERNEL_BOUNDS(Threads)
write_barrier_read(floats4* memory, fm::grid_barrier<Algorithm> barrier, unsigned units_per_block, trial t) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const units = units_per_block * fm::this_grid().num_blocks();
  unsigned const first_own = units_per_block * fm::this_grid().block_rank();
  stopwatch watch(t, fm::this_grid().thread_rank() == 0);
  std::uint32_t difference = 0;
  for (unsigned step = 0; step < t.end(); ++step) {
    watch.lap(step);
    floats4* const all = memory + (step & 1) * units;
    for (unsigned i = rank; i < units_per_block; i += Threads) {
      unsigned const index = (first_own + i) * 4;
      floats4 own;
      fm::detail::unroll<4>([&](unsigned k) {
        own.value[k] = float_of(all_gather_bits(step, index + k) ^ (index + k == 0 ? t.corruption(step) : 0));
      });
      all[first_own + i] = own;
    }
    barrier.sync();
    for (unsigned first = rank; first < units; first += Threads * InFlight) {
      floats4 seen[InFlight];
      fm::detail::unroll<InFlight>([&](unsigned i) {
        if (first + i * Threads < units) seen[i] = all[first + i * Threads];
      });
      fm::detail::unroll<InFlight>([&](unsigned i) {
        if (first + i * Threads >= units) return;
        fm::detail::unroll<4>([&](unsigned k) {
          difference |= bits_of(seen[i].value[k]) ^ all_gather_bits(step, (first + i * Threads) * 4 + k);
        });
      });
    }
    fm::this_block().sync();
  }
  watch.stop();
  report(t, difference != 0);
}

template <class Algorithm, unsigned Threads>
class barrier_experiment : public all_gather_experiment {
 public:
  // The chunks are those of the sentinel form.
  barrier_experiment(bench::rig& r, bool fault, unsigned floats)
      : all_gather_experiment(r, fault,
                              fm::detail::shape_of_exchange<float, fm::sentinel_protocol>(r.multiprocessors(), floats),
                              4, Threads),
        storage_(r.device()),
        memory_(r.device(), 2 * shape().units) {}

 private:
  void launch(trial const& t) override {
    constexpr unsigned most = (most_floats_of_rows(Threads) / 4 + Threads - 1) / Threads;
    with_in_flight<most>(units_a_thread(), [&]<unsigned InFlight>() {
      fm::launch_cooperative(rig().stream(), {blocks(), Threads}, write_barrier_read<Algorithm, Threads, InFlight>,
                             memory_.data(), storage_.barrier(), shape().units_per_block, t);
    });
  }

  fm::grid_barrier_storage<Algorithm> storage_;
  fm::buffer<floats4> memory_;
};

template <class Algorithm>
struct of {
  template <unsigned Threads>
  struct with {
    static std::unique_ptr<experiment> make(rig& r, bool fault, unsigned floats) {
      return std::make_unique<barrier_experiment<Algorithm, Threads>>(r, fault, floats);
    }
  };
};

}  // namespace

void add_all_gather_barrier_rows(rig& r) {
  add_all_gather_rows<of<fm::monotonic>::with>(r, "write_monotonic_read");
  add_all_gather_rows<of<fm::central_generation>::with>(r, "write_central_generation_read");
  add_all_gather_rows<of<fm::cooperative>::with>(r, "write_cooperative_read");
}

}  // namespace bench
