// Waiting for a part instead of for all: two layers of a network in one kernel, with the hidden state in four chunks.
//
// Every block computes some rows of each chunk and signals the chunk's counter. The second layer needs the whole hidden
// state, but not at once: it waits for the first chunk, uses it while others still work on the second, and so on. With
// a barrier in the place of the counters nobody could begin before everybody has finished.
//
// The network runs step after step, its output is its next input. Nothing is reset: step k waits for k times what one
// step signals.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fermata/fermata.hpp>
#include <vector>

namespace fm = fermata;

constexpr unsigned width = 96, hidden = 384, chunks = 4, per_chunk = hidden / chunks, steps = 5, threads = 64;

// Whole numbers, as in a quantised network, so that the result does not depend on the order of the additions.
struct network {
  std::int32_t const* up;    // hidden x width
  std::int32_t const* down;  // width x hidden
};

FERMATA_FN std::int32_t activation(std::int32_t sum) { return sum > 0 ? sum >> 6 : 0; }
FERMATA_FN std::int32_t output(std::int32_t sum) { return sum >> 6; }

// Counters that different blocks poll stand on lines of their own.
struct alignas(128) progress {
  fm::counter<> count;
};

// progress[c] counts the blocks that have finished chunk c, progress[chunks] those that have finished a step.
FERMATA_KERNEL run(network net, std::int32_t* x, std::int32_t* h, progress* done) {
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const rank = fm::this_block().thread_rank();
  // Threads of all blocks, one block after the other, take rows in turn.
  unsigned const first = rank * blocks + block, stride = blocks * threads;
  for (unsigned step = 0; step < steps; ++step) {
    // The input is there, and nobody reads the hidden state of the step before any more.
    done[chunks].count.await_block(step * blocks);
    for (unsigned c = 0; c < chunks; ++c) {
      for (unsigned row = c * per_chunk + first; row < (c + 1) * per_chunk; row += stride) {
        std::int32_t sum = 0;
        for (unsigned i = 0; i < width; ++i) sum += net.up[row * width + i] * x[i];
        h[row] = activation(sum);
      }
      done[c].count.signal_block();
    }

    constexpr unsigned most_rows = (width + threads - 1) / threads;
    std::int32_t sums[most_rows] = {};
    for (unsigned c = 0; c < chunks; ++c) {
      done[c].count.await_block((step + 1) * blocks);
      for (unsigned n = 0; n < most_rows; ++n) {
        unsigned const row = first + n * stride;
        if (row >= width) continue;
        for (unsigned i = c * per_chunk; i < (c + 1) * per_chunk; ++i) sums[n] += net.down[row * hidden + i] * h[i];
      }
    }
    // All chunks are there, so that nobody reads the input any more.
    for (unsigned n = 0; n < most_rows; ++n)
      if (unsigned const row = first + n * stride; row < width) x[row] = output(sums[n]);
    done[chunks].count.signal_block();
  }
}

// The same on the host, in plain loops.
std::vector<std::int32_t> expected(std::vector<std::int32_t> const& up, std::vector<std::int32_t> const& down,
                                   std::vector<std::int32_t> x) {
  std::vector<std::int32_t> h(hidden);
  for (unsigned step = 0; step < steps; ++step) {
    for (unsigned row = 0; row < hidden; ++row) {
      std::int32_t sum = 0;
      for (unsigned i = 0; i < width; ++i) sum += up[row * width + i] * x[i];
      h[row] = activation(sum);
    }
    for (unsigned row = 0; row < width; ++row) {
      std::int32_t sum = 0;
      for (unsigned i = 0; i < hidden; ++i) sum += down[row * hidden + i] * h[i];
      x[row] = output(sum);
    }
  }
  return x;
}

// Small numbers of both signs.
std::vector<std::int32_t> weights(std::size_t count, std::uint32_t seed) {
  std::vector<std::int32_t> result(count);
  for (std::int32_t& w : result) {
    seed = seed * 1664525u + 1013904223u;
    w = static_cast<std::int32_t>(seed >> 28) - 7;
  }
  return result;
}

int main() {
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    fm::device const gpu;
    fm::stream const s(gpu);
    std::vector<std::int32_t> const up = weights(hidden * width, 1), down = weights(width * hidden, 2);
    std::vector<std::int32_t> const input = weights(width, 3);
    fm::buffer<std::int32_t> const up_on_device(s, up), down_on_device(s, down);
    fm::buffer<std::int32_t> x(s, input), h(gpu, hidden);
    fm::buffer<progress> done(gpu, chunks + 1);
    done.fill_bytes(s, 0);

    // Blocks that wait for each other must be resident together. More of them than a chunk has rows would have no work.
    unsigned const blocks = std::min<unsigned>(fm::max_resident_blocks(gpu, run, threads), per_chunk);
    fm::launch_cooperative(s, {blocks, threads}, run, network{up_on_device.data(), down_on_device.data()}, x.data(),
                           h.data(), done.data());
    s.synchronize();

    std::vector<std::int32_t> const got = x.download(s), want = expected(up, down, input);
    for (unsigned i = 0; i < width; ++i)
      if (got[i] != want[i]) {
        std::printf("mlp_chunks: wrong at %u: %d, expected %d\n", i, got[i], want[i]);
        return 1;
      }
    if (std::count(want.begin(), want.end(), 0) == static_cast<std::ptrdiff_t>(width)) {
      std::puts("mlp_chunks: the expected result is nothing but zeros, and proves nothing");
      return 1;
    }
    std::printf("mlp_chunks: %u steps of a %u-%u-%u network by %u blocks in one launch, hidden state in %u chunks\n",
                steps, width, hidden, width, blocks, chunks);
    return 0;
  } catch (fm::error const& e) {
    std::printf("mlp_chunks: %s\n", e.what());
    return 1;
  }
}
