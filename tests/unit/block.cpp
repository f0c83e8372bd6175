// The block: where its threads are, its barriers, its shared memory.
#include "support.hpp"

namespace {

struct position {
  fm::dim3 thread, block, block_dim, grid_dim;
  unsigned size, rank;
};

FERMATA_KERNEL find_positions(position* out) {
  auto const block = fm::this_block();
  unsigned const block_rank = fm::this_grid().block_rank();
  out[block_rank * block.size() + block.thread_rank()] = {block.thread_index(),  block.index(), block.dim(),
                                                          fm::this_grid().dim(), block.size(),  block.thread_rank()};
}

// In round r every thread writes and then reads what another one wrote, in shared and in global memory.
FERMATA_KERNEL exchange_places(unsigned* global, unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(tile, unsigned[1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    tile[rank] = round * 1024 + rank;
    global[rank] = round * 2048 + rank;
    block.sync();
    unsigned const other = (rank + round * 37) % threads;
    mismatches += (tile[other] != round * 1024 + other) + (global[other] != round * 2048 + other);
    block.sync();
  }
  wrong[rank] = mismatches;
}

// In round r the thread of rank `first + r * step` is the odd one out; with r = rounds nobody is.
FERMATA_KERNEL single_out(unsigned* wrong, unsigned rounds, unsigned step) {
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size();
  unsigned mismatches = 0;
  for (unsigned round = 0; round <= rounds; ++round) {
    unsigned const odd = round == rounds ? threads : (round * step) % threads;
    bool const somebody = odd < threads;
    mismatches += block.sync_count(rank != odd) != threads - somebody;
    mismatches += block.sync_count(rank == odd) != somebody;
    mismatches += block.sync_and(rank != odd) == somebody;
    mismatches += block.sync_and(rank == odd) != (threads == 1 && somebody);
    mismatches += block.sync_or(rank == odd) != somebody;
    mismatches += block.sync_or(rank != odd) != !(threads == 1 && somebody);
  }
  wrong[rank] = mismatches;
}

// The voting barriers are barriers.
FERMATA_KERNEL votes_are_barriers(unsigned* wrong) {
  FERMATA_SHARED(tile, unsigned[3][1024]);
  auto const block = fm::this_block();
  unsigned const rank = block.thread_rank(), threads = block.size(), other = threads - 1 - rank;
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= 20; ++round) {
    tile[0][rank] = round + rank;
    block.sync_count(true);
    mismatches += tile[0][other] != round + other;
    tile[1][rank] = round + 2 * rank;
    block.sync_and(false);
    mismatches += tile[1][other] != round + 2 * other;
    tile[2][rank] = round + 3 * rank;
    block.sync_or(true);
    mismatches += tile[2][other] != round + 3 * other;
  }
  wrong[rank] = mismatches;
}

struct sample {
  double weight;
  std::int32_t id[2];
};

// Two static arrays, a struct and the dynamic array lie beside each other, not on top.
FERMATA_KERNEL use_all_shared(unsigned* wrong) {
  FERMATA_SHARED(first, std::uint16_t[256]);
  FERMATA_SHARED(second, std::uint64_t[256]);
  FERMATA_SHARED(grid_of, unsigned[16][16]);
  FERMATA_SHARED(record, sample);
  unsigned* const dynamic = fm::dynamic_shared<unsigned>();
  auto const block = fm::this_block();
  unsigned const i = block.thread_rank(), block_rank = fm::this_grid().block_rank();
  unsigned const seed = block_rank * 1000;
  first[i] = static_cast<std::uint16_t>(seed + i);
  second[i] = test::mix(seed + i);
  grid_of[i / 16][i % 16] = seed + 3 * i;
  dynamic[i] = seed + 5 * i;
  if (i == 0) record = {0.5 + block_rank, {static_cast<std::int32_t>(block_rank), -7}};
  block.sync();
  unsigned const j = (i + 101) % 256;
  unsigned mismatches = first[j] != static_cast<std::uint16_t>(seed + j);
  mismatches += second[j] != test::mix(seed + j);
  mismatches += grid_of[j / 16][j % 16] != seed + 3 * j;
  mismatches += dynamic[j] != seed + 5 * j;
  mismatches +=
      record.weight != 0.5 + block_rank || record.id[0] != static_cast<std::int32_t>(block_rank) || record.id[1] != -7;
  // The same memory under another type.
  mismatches += static_cast<void*>(fm::dynamic_shared<std::uint64_t>()) != static_cast<void*>(dynamic);
  mismatches += reinterpret_cast<std::uintptr_t>(dynamic) % 16 != 0;
  wrong[block_rank * 256 + i] = mismatches;
}

// A shared variable in a function template is one for each type, and one for each block.
template <class T>
FERMATA_DEVICE T sum_of_block(T value) {
  FERMATA_SHARED(parts, T[256]);
  auto const block = fm::this_block();
  parts[block.thread_rank()] = value;
  block.sync();
  T total = 0;
  for (unsigned i = 0; i < block.size(); ++i) total += parts[i];
  block.sync();
  return total;
}

FERMATA_KERNEL sum_in_two_types(unsigned* integers, double* floats) {
  unsigned const rank = fm::this_block().thread_rank(), block_rank = fm::this_grid().block_rank();
  unsigned const a = sum_of_block<unsigned>(rank + block_rank);
  double const b = sum_of_block<double>(rank * 0.5);
  if (rank == 0) {
    integers[block_rank] = a;
    floats[block_rank] = b;
  }
}

// As much dynamic shared memory as asked for, every byte of it.
FERMATA_KERNEL fill_dynamic(unsigned* wrong, unsigned words) {
  unsigned* const dynamic = fm::dynamic_shared<unsigned>();
  auto const block = fm::this_block();
  for (unsigned i = block.thread_rank(); i < words; i += block.size()) dynamic[i] = test::mix(i);
  block.sync();
  unsigned mismatches = 0;
  for (unsigned i = block.thread_rank(); i < words; i += block.size())
    mismatches += dynamic[words - 1 - i] != test::mix(words - 1 - i);
  wrong[block.thread_rank()] = mismatches;
}

std::vector<unsigned> sizes() {
  return {1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 255, 256, 300, 511, 512, 513, 1000, 1023, 1024};
}

std::vector<unsigned> zeros(unsigned count) { return std::vector<unsigned>(count, 0u); }

}  // namespace

TEST_SUITE("block") {
  TEST_CASE("thread and block numbers in one, two and three dimensions") {
    struct shape {
      fm::dim3 grid, block;
    };
    for (shape const& s : {shape{1, 1}, shape{3, 70}, shape{{2, 3}, {5, 7}}, shape{{2, 3, 4}, {4, 3, 5}},
                           shape{{1, 1, 3}, {1, 1, 64}}, shape{{1, 4}, {1, 33, 2}}}) {
      auto out = test::filled<position>(s.grid.count() * s.block.count(), 0xCD);
      test::run({s.grid, s.block}, find_positions, out.data());
      std::vector<position> want;
      for (unsigned bz = 0; bz < s.grid.z; ++bz)
        for (unsigned by = 0; by < s.grid.y; ++by)
          for (unsigned bx = 0; bx < s.grid.x; ++bx) {
            unsigned rank = 0;
            for (unsigned z = 0; z < s.block.z; ++z)
              for (unsigned y = 0; y < s.block.y; ++y)
                for (unsigned x = 0; x < s.block.x; ++x)
                  want.push_back({{x, y, z}, {bx, by, bz}, s.block, s.grid, s.block.count(), rank++});
          }
      CHECK(test::difference(out, want) == "");
    }
  }

  TEST_CASE("sync makes shared and global memory visible") {
    for (unsigned threads : sizes()) {
      CAPTURE(threads);
      auto global = test::filled<unsigned>(threads), wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, exchange_places, global.data(), wrong.data(), 30u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("sync_count, sync_and, sync_or: every single thread the odd one out") {
    for (unsigned threads : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 96u, 130u, 200u, 256u}) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, single_out, wrong.data(), threads, 1u);
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("sync_count, sync_and, sync_or in large blocks and in more than one dimension") {
    for (fm::dim3 const& block : {fm::dim3(511), fm::dim3(512), fm::dim3(513), fm::dim3(1000), fm::dim3(1023),
                                  fm::dim3(1024), fm::dim3(9, 11), fm::dim3(3, 5, 13), fm::dim3(32, 32)}) {
      CAPTURE(block.count());
      auto wrong = test::filled<unsigned>(block.count(), 0xFF);
      test::run({1, block}, single_out, wrong.data(), 32u, 37u);
      CHECK(test::difference(wrong, zeros(block.count())) == "");
    }
  }

  TEST_CASE("sync_count, sync_and, sync_or in blocks of every size") {
    unsigned const most = test::gpu().info().max_threads_per_block;
    auto wrong = test::filled<unsigned>(most, 0xFF);
    for (unsigned threads = 1; threads <= most; ++threads)
      test::run({1, threads}, single_out, wrong.data(), 2u, threads - 1);  // the first, the last, nobody
    CHECK(test::difference(wrong, zeros(most)) == "");
  }

  TEST_CASE("sync_count, sync_and and sync_or are barriers") {
    for (unsigned threads : sizes()) {
      CAPTURE(threads);
      auto wrong = test::filled<unsigned>(threads, 0xFF);
      test::run({1, threads}, votes_are_barriers, wrong.data());
      CHECK(test::difference(wrong, zeros(threads)) == "");
    }
  }

  TEST_CASE("static and dynamic shared memory are apart, and private to the block") {
    constexpr unsigned blocks = 40;
    auto wrong = test::filled<unsigned>(blocks * 256, 0xFF);
    test::run({blocks, 256, 256 * sizeof(unsigned)}, use_all_shared, wrong.data());
    CHECK(test::difference(wrong, zeros(blocks * 256)) == "");
  }

  TEST_CASE("shared variables in function templates") {
    constexpr unsigned blocks = 6, threads = 100;
    auto integers = test::filled<unsigned>(blocks);
    auto floats = test::filled<double>(blocks);
    test::run({blocks, threads}, sum_in_two_types, integers.data(), floats.data());
    std::vector<unsigned> want;
    for (unsigned b = 0; b < blocks; ++b) want.push_back(threads * (threads - 1) / 2 + threads * b);
    CHECK(test::difference(integers, want) == "");
    CHECK(test::difference(floats, std::vector<double>(blocks, threads * (threads - 1) / 4.0)) == "");
  }

  TEST_CASE("dynamic shared memory up to what the device offers") {
    for (std::size_t bytes :
         {std::size_t{4}, std::size_t{1000}, std::size_t{48} << 10, test::gpu().info().shared_bytes_per_block}) {
      CAPTURE(bytes);
      auto wrong = test::filled<unsigned>(128, 0xFF);
      test::run({1, 128, bytes}, fill_dynamic, wrong.data(), static_cast<unsigned>(bytes / 4));
      CHECK(test::difference(wrong, zeros(128)) == "");
    }
  }
}
