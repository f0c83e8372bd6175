// Waiting for the datum instead of for everybody: each block waits for one number from the block before it.
//
// A sentinel is a slot that is empty or holds a number; to wait for it is to read it. No flag, no fence, no barrier.
#include <cstdio>
#include <fermata/fermata.hpp>
#include <vector>

namespace fm = fermata;

FERMATA_KERNEL chain(fm::sentinel<float>* slot, float* result) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const b = fm::this_grid().block_rank();
  float const value = b == 0 ? 0.0f : slot[b - 1].await() + 1.0f;
  slot[b].publish(value);
  if (b == fm::this_grid().num_blocks() - 1) *result = value;
}

int main() {
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    fm::device const gpu;
    fm::stream const s(gpu);

    // Blocks that wait for each other must be resident together.
    int const blocks = fm::max_resident_blocks(gpu, chain, 32);
    fm::buffer<fm::sentinel<float>> slots(s, std::vector<fm::sentinel<float>>(blocks));  // empty ones
    fm::buffer<float> result(gpu, 1);

    fm::event start(gpu), stop(gpu);
    start.record(s);
    fm::launch_cooperative(s, {blocks, 32}, chain, slots.data(), result.data());
    stop.record(s);
    s.synchronize();

    float const last = result.download(s)[0];
    if (last != static_cast<float>(blocks - 1)) {
      std::printf("chain: the last of %d blocks got %g\n", blocks, last);
      return 1;
    }
    std::printf("chain: a number went through %d blocks, each added one: %g (%.1f us, launch included)\n", blocks, last,
                stop.microseconds_since(start));
    return 0;
  } catch (fm::error const& e) {
    std::printf("chain: %s\n", e.what());
    return 1;
  }
}
