// The whole-grid barrier.
//
// Blocks write a datum before a crossing and read another block's after it. One thread outside the leader's wave does
// both, and tests the value later, so that the check is not on the barrier's path. A release also waits for what the
// block has written, which is a cost of the data and not of the barrier: so every crossing carries a datum until the
// clock starts, and then every sixteenth. The fifteen between are a loop of nothing else, because what stands around
// a barrier costs as well ("bare" and "both" in the results of first polls that the backend's spin.hpp names). Two sets
// of slots alternate: a set is written again only after another crossing, when all of its readers have gone on.
#include <algorithm>
#include <set>

#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned threads = 256;

FERMATA_DEVICE std::uint32_t datum(unsigned iteration, unsigned block) noexcept { return iteration + (block << 20); }

template <class Algorithm>
FERMATA_KERNEL_BOUNDS(threads)
cross_barrier(fm::grid_barrier<Algorithm> barrier, line* slots, trial t) {
  unsigned const blocks = fm::this_grid().num_blocks();
  unsigned const block = fm::this_grid().block_rank();
  unsigned const thread = fm::this_block().thread_rank();
  bool const carrier = thread == threads - 1;
  stopwatch watch(t, block == 0 && thread == 0);

  unsigned neighbour = block;
  std::uint32_t expected = 0, seen = 0;
  bool wrong = false;
  line* set = slots;
  line* other_set = slots + blocks;
  // The crossings from `first` on and before `last`, of which the first carries a datum.
  auto const cross = [&](unsigned first, unsigned last) {
    bool const corrupt = block == 0 && first <= t.fault_at && t.fault_at < last;
    if (carrier) set[block].word = datum(first, block) ^ (corrupt ? t.corruption(t.fault_at) : 0);
    barrier.sync();
    if (carrier) {
      wrong |= seen != expected;
      seen = set[neighbour].word;
      expected = datum(first, neighbour);
      if (++neighbour == blocks) neighbour = 0;
      line* const next = other_set;
      other_set = set;
      set = next;
    }
    for (unsigned i = first + 1; i < last; ++i) barrier.sync();
  };
  for (unsigned i = 0; i < t.warm_up; ++i) cross(i, i + 1);
  watch.lap(t.warm_up);
  for (unsigned i = t.warm_up; i < t.end(); i += 16) cross(i, i + 16 < t.end() ? i + 16 : t.end());
  watch.stop();
  report(t, carrier && (wrong || seen != expected));
}

template <class Algorithm>
class barrier_experiment : public in_kernel {
 public:
  barrier_experiment(bench::rig& r, bool fault, unsigned blocks)
      : in_kernel(r, fault), blocks_(blocks), storage_(r.device()), slots_(r.device(), 2 * blocks) {}

 private:
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {blocks_, threads}, cross_barrier<Algorithm>, storage_.barrier(),
                           slots_.data(), t);
  }

  unsigned blocks_;
  fm::grid_barrier_storage<Algorithm> storage_;
  fm::buffer<line> slots_;
};

template <class Algorithm>
void add_algorithm(rig& r, std::string const& name, std::set<unsigned> const& block_counts) {
  unsigned const most = r.max_blocks(cross_barrier<Algorithm>, threads);
  for (unsigned const blocks : block_counts) {
    if (blocks > most) continue;  // its kernel needs more registers
    add_row(r, "grid_barrier/" + name + "/blocks:" + std::to_string(blocks) + "/threads:" + std::to_string(threads),
            [blocks](rig& r, bool fault) { return std::make_unique<barrier_experiment<Algorithm>>(r, fault, blocks); });
  }
}

}  // namespace

void add_grid_barrier_rows(rig& r) {
  // One block, a few, and multiples of the multiprocessors up to what can be resident with the default.
  unsigned const most = r.max_blocks(cross_barrier<fm::automatic>, threads);
  unsigned const multiprocessors = r.multiprocessors();
  std::set<unsigned> counts{1, 16, multiprocessors / 2, most};
  for (unsigned n = multiprocessors; n <= most; n *= 2) counts.insert(n);
  std::erase_if(counts, [most](unsigned n) { return n == 0 || n > most; });

  add_algorithm<fm::automatic>(r, "automatic", counts);
  add_algorithm<fm::monotonic>(r, "monotonic", counts);
  add_algorithm<fm::striped>(r, "striped", counts);
  add_algorithm<fm::sense>(r, "sense", counts);
  add_algorithm<fm::central_generation>(r, "central_generation", counts);
  add_algorithm<fm::gather_scatter>(r, "gather_scatter", counts);
  add_algorithm<fm::all_to_all>(r, "all_to_all", counts);
  add_algorithm<fm::hierarchical>(r, "hierarchical", counts);
  add_algorithm<fm::combining>(r, "combining", counts);
  add_algorithm<fm::cooperative>(r, "cooperative", counts);
}

double quick_barrier_microseconds(rig& r) {
  fm::stream const& s = r.stream();
  unsigned const blocks = std::min(r.multiprocessors(), r.max_blocks(cross_barrier<fm::monotonic>, threads));
  fm::grid_barrier_storage<fm::monotonic> storage(r.device());
  fm::buffer<line> slots(r.device(), 2 * blocks);
  fm::buffer<record> out(s, std::vector<record>(1));
  trial const t{out.data(), 10, 20, never};
  fm::launch_cooperative(s, {blocks, threads}, cross_barrier<fm::monotonic>, storage.barrier(), slots.data(), t);
  s.synchronize();
  record const seen = out.download(s).front();
  return static_cast<double>(seen.wall_stop - seen.wall_start) / r.device().info().wall_clock_rate * 1e6 / t.iterations;
}

}  // namespace bench
