// The whole-grid barrier as programs meet it: with dirty lines to release, with a block that comes late, with blocks of
// 1,024 threads, and with work between arriving and waiting. Each family has a row without a barrier or is compared
// between algorithms, because its times hold the work, too.
//
//   grid_barrier_dirty/<algorithm>    every block writes 16 KiB before every crossing; one word of it is checked
//   grid_barrier_skewed/<algorithm>   in every crossing another block comes 1 µs late
//   grid_barrier_wide/<algorithm>     blocks of 1,024 threads
//   grid_barrier_split/<algorithm>    1 µs of work of every thread between arrive and wait; `work_alone` is that work
#include <algorithm>

#include "harness.hpp"

namespace bench {
namespace {

constexpr unsigned words_of_a_block = 16 * 1024 / sizeof(std::uint32_t);
// The first of them tells the block and the crossing.
FERMATA_DEVICE std::uint32_t datum(unsigned iteration, unsigned block) noexcept { return iteration + (block << 20); }

FERMATA_DEVICE void work_for(std::uint64_t cycles) noexcept {
  std::uint64_t const start = fm::cycle_clock();
  while (fm::cycle_clock() - start < cycles) {
  }
}

// What happens around the crossings of a family.
enum class load { dirty, skewed, wide, split };

// A datum of every block is read by another one behind each crossing; two sets take turns, as in grid_barrier.cpp.
template <load Load, class Barrier>
FERMATA_DEVICE void cross(Barrier const& barrier, std::uint32_t* memory, std::uint64_t work, trial const& t) {
  unsigned const blocks = fm::this_grid().num_blocks(), block = fm::this_grid().block_rank();
  unsigned const thread = fm::this_block().thread_rank(), threads = fm::this_block().size();
  bool const checks = thread == threads - 1;
  stopwatch watch(t, block == 0 && thread == 0);
  constexpr unsigned stride = Load == load::dirty ? words_of_a_block : 32;
  bool wrong = false;
  unsigned neighbour = block, late = 0;
  for (unsigned i = 0; i < t.end(); ++i) {
    watch.lap(i);
    std::uint32_t* const set = memory + (i & 1) * blocks * stride;
    std::uint32_t* const own = set + block * stride;
    if constexpr (Load == load::dirty)
      for (unsigned w = thread; w < words_of_a_block; w += threads)
        own[w] = (datum(i, block) + w) ^ (block == 0 ? t.corruption(i) : 0);
    else if (checks && (i % 16 == 0 || i == t.fault_at))
      own[0] = datum(i, block) ^ (block == 0 ? t.corruption(i) : 0);
    if constexpr (Load == load::skewed) {
      if (block == late) work_for(work);
      if (++late == blocks) late = 0;
    }
    if constexpr (Load == load::split) {
      auto const token = barrier.arrive();
      work_for(work);
      barrier.wait(token);
    } else {
      barrier.sync();
    }
    if (++neighbour == blocks) neighbour = 0;
    if (checks && (Load == load::dirty || i % 16 == 0 || i == t.fault_at))
      wrong |= set[neighbour * stride] != datum(i, neighbour);
  }
  watch.stop();
  report(t, wrong);
}

template <load Load, class Algorithm, unsigned Threads>
FERMATA_KERNEL_BOUNDS(Threads)
cross_loaded(fm::grid_barrier<Algorithm> barrier, std::uint32_t* memory, std::uint64_t work, trial t) {
  cross<Load>(barrier, memory, work, t);
}

// The loop of `split` with its work and without its barrier.
FERMATA_KERNEL_BOUNDS(256) work_alone(std::uint64_t work, trial t) {
  stopwatch watch(t, fm::this_grid().thread_rank() == 0);
  for (unsigned i = 0; i < t.end(); ++i) {
    watch.lap(i);
    fm::this_block().sync();
    work_for(work);
    fm::this_block().sync();
  }
  watch.stop();
}

// A microsecond in cycles of the device.
std::uint64_t microsecond(rig const& r) {
  return static_cast<std::uint64_t>(r.device().info().cycle_clock_rate * 1e-6);
}

template <load Load, class Algorithm, unsigned Threads>
class loaded_experiment : public in_kernel {
 public:
  loaded_experiment(bench::rig& r, bool fault, unsigned blocks)
      : in_kernel(r, fault),
        blocks_(blocks),
        storage_(r.device()),
        memory_(r.device(), std::size_t{2} * blocks * (Load == load::dirty ? words_of_a_block : 32)) {}

 private:
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {blocks_, Threads}, cross_loaded<Load, Algorithm, Threads>,
                           storage_.barrier(), memory_.data(), microsecond(rig()), t);
  }

  unsigned blocks_;
  fm::grid_barrier_storage<Algorithm> storage_;
  fm::buffer<std::uint32_t> memory_;
};

class work_experiment : public in_kernel {
 public:
  work_experiment(bench::rig& r, bool fault, unsigned blocks) : in_kernel(r, fault), blocks_(blocks) {}

 private:
  void launch(trial const& t) override {
    fm::launch_cooperative(rig().stream(), {blocks_, 256}, work_alone, microsecond(rig()), t);
  }
  unsigned blocks_;
};

template <load Load, class Algorithm, unsigned Threads>
void add_loaded(rig& r, std::string const& family, std::string const& algorithm, std::vector<unsigned> const& counts) {
  unsigned const most = r.max_blocks(cross_loaded<Load, Algorithm, Threads>, Threads);
  for (unsigned blocks : counts)
    if (blocks <= most)
      add_row(r, family + "/" + algorithm + "/blocks:" + std::to_string(blocks) + "/threads:" + std::to_string(Threads),
              [blocks](rig& r, bool fault) {
                return std::make_unique<loaded_experiment<Load, Algorithm, Threads>>(r, fault, blocks);
              });
}

template <load Load, unsigned Threads>
void add_both(rig& r, std::string const& family, std::vector<unsigned> const& counts) {
  add_loaded<Load, fm::automatic, Threads>(r, family, "automatic", counts);
  if constexpr (Load != load::split) add_loaded<Load, fm::cooperative, Threads>(r, family, "cooperative", counts);
}

}  // namespace

void add_grid_barrier_loaded_rows(rig& r) {
  unsigned const all = r.multiprocessors();
  add_both<load::dirty, 256>(r, "grid_barrier_dirty", {all, 2 * all});
  add_both<load::skewed, 256>(r, "grid_barrier_skewed", {all, 2 * all});
  add_both<load::wide, 1024>(r, "grid_barrier_wide", {all, 2 * all});
  add_both<load::split, 256>(r, "grid_barrier_split", {all, 2 * all});
  add_row(r, "grid_barrier_split/work_alone/blocks:" + std::to_string(all) + "/threads:256",
          [all](rig& r, bool fault) { return std::make_unique<work_experiment>(r, fault, all); });
}

}  // namespace bench
