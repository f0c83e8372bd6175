// What a user's program looks like, for any backend: every block adds its part, crosses a grid barrier, and checks
// that it sees the parts of all others. Each of the projects beside it builds this file in another way.
#include <cstdio>
#include <exception>
#include <vector>

#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL sum(unsigned* total, unsigned* seen, fm::grid_barrier<> barrier) {
  auto const grid = fm::this_grid();
  unsigned const part = static_cast<unsigned>(grid.thread_rank());
  fm::device_atomic_ref<unsigned>(*total).fetch_add(part, fm::memory_order_relaxed);
  barrier.sync();
  if (fm::this_block().thread_rank() == 0)
    seen[grid.block_rank()] = fm::device_atomic_ref<unsigned>(*total).load(fm::memory_order_relaxed);
}

int main() try {
  constexpr unsigned blocks = 2, threads = 64, expected = blocks * threads * (blocks * threads - 1) / 2;
  fm::device const device;
  fm::stream stream(device);
  fm::buffer<unsigned> total(device, 1), seen(device, blocks);
  total.fill_bytes(stream, 0);
  fm::grid_barrier_storage<> const storage(device);
  fm::launch_cooperative(stream, {blocks, threads}, sum, total.data(), seen.data(), storage.barrier());
  stream.synchronize();
  for (unsigned const value : seen.download(stream)) {
    if (value != expected) {
      std::printf("wrong: %u instead of %u\n", value, expected);
      return 1;
    }
  }
  std::printf("%s: every block saw %u\n", device.name().c_str(), expected);
} catch (std::exception const& e) {
  std::printf("%s\n", e.what());
  return 1;
}
