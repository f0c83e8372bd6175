// A persistent kernel: all steps of a relaxation in one launch, with a barrier over the whole grid between them.
//
// The temperature of a rod whose ends are held at 0 and 1. Each step replaces every inner point by the mean of its
// neighbours, so no block may start a step before all blocks have finished the one before it.
#include <cmath>
#include <cstdio>
#include <fermata/fermata.hpp>
#include <utility>
#include <vector>

namespace fm = fermata;

FERMATA_KERNEL jacobi(float* a, float* b, int n, int steps, fm::grid_barrier<> barrier) {
  auto const grid = fm::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = 1 + static_cast<int>(grid.thread_rank()); i < n - 1; i += static_cast<int>(grid.size()))
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    barrier.sync();
    float* const t = a;
    a = b;
    b = t;
  }
}

// The same on the host, in a plain loop.
std::vector<float> expected(std::vector<float> a, int steps) {
  std::vector<float> b = a;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 1; i + 1 < a.size(); ++i) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    std::swap(a, b);
  }
  return a;
}

int main() {
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    constexpr int n = 20000, steps = 100, threads = 128;
    fm::device const gpu;
    fm::stream const s(gpu);

    std::vector<float> start(n, 0.5f);
    start.front() = 0;
    start.back() = 1;
    fm::buffer<float> a(s, start), b(s, start);
    fm::grid_barrier_storage<> storage(gpu);

    // More blocks than can be resident would wait for each other for ever; launch_cooperative refuses them.
    int const blocks = fm::max_resident_blocks(gpu, jacobi, threads);
    fm::launch_cooperative(s, {blocks, threads}, jacobi, a.data(), b.data(), n, steps, storage.barrier());
    s.synchronize();

    // After an even number of steps the result is where it started.
    std::vector<float> const got = a.download(s), want = expected(start, steps);
    for (int i = 0; i < n; ++i)
      if (got[i] != want[i]) {
        std::printf("jacobi: wrong at point %d: %g, expected %g\n", i, got[i], want[i]);
        return 1;
      }
    std::printf("jacobi: %d steps on %d points by %d blocks in one launch, all as expected\n", steps, n, blocks);
    return 0;
  } catch (fm::error const& e) {
    std::printf("jacobi: %s\n", e.what());
    return 1;
  }
}
