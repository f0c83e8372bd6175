#include "library.hpp"

#include <stdexcept>

namespace {

// Neighbours read what a thread has written, through each barrier of a block.
FERMATA_KERNEL block_barriers(unsigned* out) {
  FERMATA_SHARED(tile, unsigned[128]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), next = (rank + 1) % block.size();
  tile[rank] = rank;
  block.sync();
  unsigned sum = tile[next];
  block.sync_and(true);
  tile[next] = sum;
  auto const token = block.arrive();
  sum += rank;
  block.wait(token);
  out[rank] = sum + tile[rank];
}

FERMATA_KERNEL barrier_objects(unsigned* out) {
  FERMATA_SHARED(meeting, fm::barrier<fm::thread_scope_block>);
  FERMATA_SHARED(tile, unsigned[128]);
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  if (rank == 0) meeting.init(threads);
  fm::this_block().sync();
  for (unsigned round = 0; round < 2; ++round) {
    tile[rank] = rank + round;
    meeting.arrive_and_wait();
    out[rank] += tile[(rank + 33) % threads];
    meeting.arrive_and_wait();
  }
}

// One thread of each block, which polls: the data of a round goes around, and its place is used again two rounds later.
using device_barrier = fm::barrier<fm::thread_scope_device>;
FERMATA_KERNEL barriers_between_blocks(device_barrier* meeting, unsigned* data, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  for (unsigned round = 0; round < 4; ++round) {
    unsigned* const half = data + round % 2 * blocks;
    half[block] = round + block;
    auto const token = meeting->arrive();
    if (round % 2 == 0)
      meeting->wait(token);
    else
      while (!meeting->try_wait(token)) {
      }
    out[block] += half[(block + 1) % blocks];
  }
}

// What the last to arrive does has what all have written, and all have what it writes.
struct add_up {
  unsigned* data;
  unsigned* sum;
  FERMATA_DEVICE void operator()() const noexcept { *sum = data[0] + data[1] + data[2] + data[3]; }
};
using adding_barrier = fm::barrier<fm::thread_scope_device, add_up>;
FERMATA_KERNEL completions(adding_barrier* meeting, unsigned* data, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned round = 0; round < 3; ++round) {
    data[block] = round + block;
    meeting->arrive_and_wait();
    out[block] += data[4];
    meeting->arrive_and_wait();
  }
}

FERMATA_KERNEL latches(fm::latch<fm::thread_scope_device>* done, unsigned* data, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), rank = fm::this_block().thread_rank();
  unsigned const threads = fm::this_block().size();
  if (block == 0) {
    data[rank] = rank;
    done->count_down();
  } else {
    done->wait();
    out[rank] = data[(rank + 1) % threads];
  }
}

// One thread of each block counts down and polls.
FERMATA_KERNEL polled_latches(fm::latch<fm::thread_scope_device>* done, unsigned* data, unsigned* out) {
  unsigned const block = fm::this_grid().block_rank(), blocks = 4;
  data[block] = block;
  done->count_down();
  while (!done->try_wait()) {
  }
  out[block] = data[(block + 1) % blocks];
}

// One thread of each block at a time adds to a plain word.
FERMATA_KERNEL semaphores(fm::counting_semaphore<fm::thread_scope_device>* one, unsigned* sum, unsigned*) {
  if (fm::this_block().thread_rank() != 0) return;
  for (unsigned i = 0; i < 3; ++i) {
    one->acquire();
    *sum += 1;
    one->release();
  }
}

FERMATA_KERNEL polled_semaphores(fm::counting_semaphore<fm::thread_scope_device>* one, unsigned* sum, unsigned*) {
  for (unsigned i = 0; i < 3; ++i) {
    while (!one->try_acquire()) {
    }
    *sum += 1;
    one->release();
  }
}

// The lanes of a wave take turns with a plain word of shared memory.
FERMATA_KERNEL serialised(unsigned* out) {
  FERMATA_SHARED(sums, unsigned[4]);
  unsigned const wave = fm::this_block().thread_rank() / fm::wave::size();
  if (fm::this_wave().lane() == 0) sums[wave] = 0;
  fm::this_wave().sync();
  fm::wave_serialize([&] { sums[wave] += 1; });
  fm::this_wave().sync();
  out[fm::this_block().thread_rank()] = sums[wave];
}

FERMATA_KERNEL reductions(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const once = fm::block_reduce(rank, fm::plus{}), again = fm::block_reduce(once, fm::plus{});
  out[rank] = again;
}

// The barriers between these calls are their own.
FERMATA_KERNEL histograms(unsigned* bins) {
  FERMATA_SHARED(counts, fm::privatized_histogram<8>);
  for (unsigned round = 0; round < 2; ++round) {
    counts.clear();
    counts.add((fm::this_block().thread_rank() + 40) % 8);
    counts.merge_into(bins);
  }
}

FERMATA_KERNEL register_histograms(unsigned* bins) {
  fm::register_histogram<5> counts;
  for (unsigned round = 0; round < 2; ++round) {
    counts.add(fm::this_block().thread_rank() % 5);
    counts.merge_into(bins);
  }
}

// Through a word in shared memory, by the operations of a wave that order memory.
FERMATA_KERNEL waves(unsigned* out) {
  FERMATA_SHARED(tile, unsigned[128]);
  unsigned const rank = fm::this_block().thread_rank(), width = fm::wave::size();
  unsigned const next = rank / width * width + (rank + 1) % width;
  tile[rank] = rank;
  fm::this_wave().sync();
  out[rank] = tile[next];
  fm::this_wave().sync();
  auto const half = fm::tile<16>();
  half.sync();
  tile[rank] = half.reduce(rank, fm::plus{});
  half.sync();
  out[rank] += tile[rank / 16 * 16 + (rank + 1) % 16];
}

// Tiles of a block that meet differently often, whose threads read what others of their tile, in another wave, have
// written; twice by the same scratch.
template <unsigned N>
FERMATA_KERNEL wide_tile_syncs(unsigned* out) {
  FERMATA_SHARED(scratch, fm::tile_scratch<N, 2 * N>);
  FERMATA_SHARED(slots, unsigned[2 * N]);
  unsigned const rank = fm::this_block().thread_rank();
  unsigned sum = 0;
  for (unsigned again = 0; again < 2; ++again) {
    auto const tile = fm::tiled_partition<N>(fm::this_block(), scratch);
    unsigned const first = rank - tile.thread_rank();
    for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
      slots[rank] = rank + round;
      tile.sync();
      sum += slots[first + (tile.thread_rank() + N / 2 + 1) % N];
      tile.sync();
    }
  }
  out[rank] = sum;
}

// What passes through the scratch is right, exchange after exchange, without a barrier between them.
template <unsigned N>
FERMATA_KERNEL wide_tile_collectives(unsigned*) {
  FERMATA_SHARED(scratch, fm::tile_scratch<N, N>);
  auto const tile = fm::tiled_partition<N>(fm::this_block(), scratch);
  unsigned const rank = tile.thread_rank();
  unsigned wrong = 0;
  for (unsigned round = 1; round <= 2; ++round) {
    wrong += tile.shfl(rank * round, rank + N / 2) != (rank + N / 2) % N * round;
    wrong += tile.broadcast(rank + round, N - 1) != N - 1 + round;
    wrong += tile.reduce(std::uint64_t{rank} * round, fm::plus{}) != std::uint64_t{N} * (N - 1) / 2 * round;
    wrong += tile.inclusive_scan(round) != (rank + 1) * round;
    wrong += tile.exclusive_scan(round) != rank * round;
    wrong += tile.any(rank == N - round) != true || tile.all(rank == N - round) != false;
    wrong += tile.match_all(round) != true || tile.match_all(rank / (N / 2)) != false;
  }
  if (wrong != 0) throw std::runtime_error("a tile has another value");
}

void on_one_buffer(void (*kernel)(unsigned*), fm::launch_config config) {
  library::stays_clean([=](fm::stream const& s) {
    auto const out = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 1024));
    return [=] { return fm::check(kernel, config, out->data()); };
  });
}

// The same for an object that a kernel of its own initialises, with data and results beside it.
template <class Object>
void on_object(void (*kernel)(Object*, unsigned*, unsigned*), fm::launch_config config,
               void (*init)(Object*, unsigned*)) {
  library::stays_clean([=](fm::stream const& s) {
    auto const object = std::make_shared<fm::buffer<Object>>(s.device(), 1);
    auto const data = std::make_shared<fm::buffer<unsigned>>(library::zeros<unsigned>(s, 256));
    fm::launch(s, {1, 1}, init, object->data(), data->data());
    s.synchronize();
    return [=] { return fm::check(kernel, config, object->data(), data->data(), data->data() + 128); };
  });
}

}  // namespace

TEST_SUITE_BEGIN("block");

TEST_CASE("the barriers of a block") { on_one_buffer(block_barriers, {1, 96}); }
TEST_CASE("barrier") { on_one_buffer(barrier_objects, {1, 96}); }
TEST_CASE("wave_serialize") { on_one_buffer(serialised, {1, 128}); }
TEST_CASE("block_reduce") { on_one_buffer(reductions, {1, 96}); }
TEST_CASE("privatized_histogram") { on_one_buffer(histograms, {2, 80}); }
TEST_CASE("register_histogram") { on_one_buffer(register_histograms, {2, 80}); }
TEST_CASE("wave and tile sync") { on_one_buffer(waves, {1, 128}); }
// 64 threads are two waves or one.
TEST_CASE("wide tiles of 64") { on_one_buffer(wide_tile_syncs<64>, {1, 128}); }
TEST_CASE("wide tiles of 128") { on_one_buffer(wide_tile_syncs<128>, {1, 256}); }
TEST_CASE("wide tiles of 64, collectives") { on_one_buffer(wide_tile_collectives<64>, {1, 64}); }
TEST_CASE("wide tiles of 128, collectives") { on_one_buffer(wide_tile_collectives<128>, {1, 128}); }

TEST_CASE("barrier between blocks") {
  on_object<device_barrier>(
      barriers_between_blocks, {4, 1}, +[](device_barrier* b, unsigned*) { b->init(4); });
}
TEST_CASE("barrier with a completion") {
  on_object<adding_barrier>(
      completions, {4, 1}, +[](adding_barrier* b, unsigned* data) {
        b->init(4, {data, data + 4});
      });
}

TEST_CASE("latch") {
  using latch = fm::latch<fm::thread_scope_device>;
  on_object<latch>(
      latches, {2, 40}, +[](latch* l, unsigned*) { l->init(40); });
}
TEST_CASE("latch, polled") {
  using latch = fm::latch<fm::thread_scope_device>;
  on_object<latch>(
      polled_latches, {4, 1}, +[](latch* l, unsigned*) { l->init(4); });
}

TEST_CASE("counting_semaphore") {
  using semaphore = fm::counting_semaphore<fm::thread_scope_device>;
  on_object<semaphore>(
      semaphores, {4, 32}, +[](semaphore* l, unsigned*) { l->init(1); });
}
TEST_CASE("counting_semaphore, polled") {
  using semaphore = fm::counting_semaphore<fm::thread_scope_device>;
  on_object<semaphore>(
      polled_semaphores, {4, 1}, +[](semaphore* l, unsigned*) { l->init(1); });
}

TEST_SUITE_END();
