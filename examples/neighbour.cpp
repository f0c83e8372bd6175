// A barrier for the whole grid: every block writes a value, all blocks meet, each reads its neighbour's.
#include <cstdio>
#include <fermata/fermata.hpp>

namespace fm = fermata;

FERMATA_KERNEL neighbour(unsigned* value, unsigned* seen, fm::grid_barrier<> barrier) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  bool const leader = fm::this_block().thread_rank() == 0;
  if (leader) value[block] = block * block;
  barrier.sync();  // what any thread wrote before is visible to every thread after
  if (leader) seen[block] = value[(block + 1) % blocks];
}

int main() try {
  fm::device const gpu;  // of the backend that the build chose; throws if there is none
  fm::stream const s(gpu);
  unsigned const blocks =
      fm::max_resident_blocks(gpu, neighbour, 256);  // more could never meet: the launch would be refused
  fm::buffer<unsigned> value(gpu, blocks), seen(gpu, blocks);
  fm::grid_barrier_storage<> storage(gpu);
  fm::launch_cooperative(s, {blocks, 256}, neighbour, value.data(), seen.data(), storage.barrier());
  s.synchronize();  // throws what went wrong in the kernel, and where
  std::printf("%u blocks met; block 0 saw %u\n", blocks, seen.download(s)[0]);
  return seen.download(s)[0] == (blocks == 1 ? 0 : 1) ? 0 : 1;
} catch (fm::error const& e) {
  std::printf("%s\n", e.what());
  return e.code() == fm::errc::no_device ? 77 : 1;
}
