// Preconditions that a kernel does not meet, in a build with FERMATA_ENABLE_ASSERTIONS. One case for each run of the
// program, because a GPU's context is lost with the first: `assertions CASE` prints what the error says.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fermata/fermata.hpp>

namespace fm = fermata;

namespace {

FERMATA_KERNEL part_of_a_wave(unsigned* out) {
  auto const wave = fm::this_wave();
  unsigned result = 0;
  if (wave.lane() < 8) result = wave.any(true);
  result += wave.all(true);
  out[fm::this_block().thread_rank()] = result;
}

FERMATA_KERNEL too_many_members(unsigned* out) {
  auto const wave = fm::this_wave();
  fm::lane_mask const few = wave.ballot(wave.lane() < 8);
  if (wave.lane() < 16) out[wave.lane()] = wave.subset(few).reduce(1u, fm::plus{});
}

FERMATA_KERNEL part_of_a_block(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank >= 64) return;
  fm::this_block().sync();
  out[rank] = rank;
}

// By a thread that is in lane 6 of a wave that is not the first, whatever the width.
FERMATA_KERNEL misaligned_object(unsigned char* bytes) {
  if (fm::this_block().thread_rank() != 70) return;
  auto* const object = reinterpret_cast<unsigned*>(bytes + 1);
  fm::device_atomic_ref<unsigned>(*object).store(1, fm::memory_order_relaxed);
}

// All blocks but one cross the barrier of the grid.
FERMATA_KERNEL one_block_stays_away(fm::grid_barrier<fm::monotonic, fm::with_deadline> barrier, unsigned* word) {
  barrier.sync();
  if (fm::this_grid().block_rank() == 2)
    while (fm::device_atomic_ref<unsigned>(*word).load(fm::memory_order_relaxed) == 0) {
    }
  barrier.sync();
}

// Everything that checks, as it should be called; also in a wave and a block that are not full.
FERMATA_KERNEL all_is_well(unsigned* out) {
  auto const wave = fm::this_wave();
  auto const block = fm::this_block();
  unsigned const lane = wave.lane(), half = lane & 1;
  wave.sync();
  unsigned sum = wave.any(true) + wave.all(true) + wave.ballot(true).count() + wave.shfl(lane, 0) +
                 wave.shfl_up(lane, 1) + wave.shfl_down(lane, 1) + wave.broadcast(lane) + wave.reduce(1u, fm::plus{}) +
                 wave.inclusive_scan(1u) + wave.match_any(half).count() + wave.match_all(7u) + wave.elect();
  fm::lane_mask const odd = wave.ballot(half == 1);
  if (half == 1) {
    auto const group = wave.subset(odd);
    group.sync();
    sum += group.reduce(1u, fm::plus{}) + group.shfl(lane, 0) + group.exclusive_scan(1u);
  }
  auto const tile = fm::tiled_partition<4>(block);
  sum += tile.reduce(lane, fm::maximum{}) + tile.shfl_xor(lane, 1) + tile.ballot(true).count();
  block.sync();
  sum += block.sync_count(true) + block.sync_and(true) + block.sync_or(false);
  fm::device_atomic_ref<unsigned>(*out).fetch_add(sum != 0, fm::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  char const* const name = argc == 2 ? argv[1] : "";
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  try {
    fm::device const gpu;
    fm::stream const queue(gpu);
    fm::buffer<unsigned> out(gpu, 1024);
    out.fill_bytes(queue, 0);
    queue.synchronize();
    if (std::strcmp(name, "divergent_wave") == 0) {
      fm::launch(queue, {1, gpu.wave_size()}, part_of_a_wave, out.data());
    } else if (std::strcmp(name, "wrong_members") == 0) {
      fm::launch(queue, {1, gpu.wave_size()}, too_many_members, out.data());
    } else if (std::strcmp(name, "incomplete_block") == 0) {
      fm::launch(queue, {fm::dim3(3, 2), 128}, part_of_a_block, out.data());
    } else if (std::strcmp(name, "misaligned") == 0) {
      fm::launch(queue, {1, 128}, misaligned_object, reinterpret_cast<unsigned char*>(out.data()));
    } else if (std::strcmp(name, "grid_deadline") == 0) {
      fm::grid_barrier_storage<fm::monotonic, fm::with_deadline> storage(gpu, std::chrono::milliseconds(200));
      fm::launch_cooperative(queue, {4, 64}, one_block_stays_away, storage.barrier(), out.data());
      queue.synchronize();  // here, while the storage lives
    } else if (std::strcmp(name, "all_is_well") == 0) {
      fm::launch(queue, {3, 100}, all_is_well, out.data());
      queue.synchronize();
      unsigned const count = out.download(queue)[0];
      std::printf("%u threads, and no check failed\n", count);
      return count == 300 ? 0 : 1;
    } else {
      std::printf("usage: %s divergent_wave|wrong_members|incomplete_block|misaligned|grid_deadline|all_is_well\n",
                  argv[0]);
      return 2;
    }
    queue.synchronize();
  } catch (fm::error const& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  std::puts("no check failed");
  return 0;
}
