// Shared and global memory of the host backend.
#include <array>

#include "host_support.hpp"

namespace {

FERMATA_GLOBAL(counter, unsigned);
FERMATA_GLOBAL(table, std::array<unsigned, 4>);

FERMATA_KERNEL count_in_global() {
  fm::device_atomic_ref<unsigned>(counter).fetch_add(1, fm::memory_order_relaxed);
  if (fm::this_grid().thread_rank() == 0) table[2] = 5;
}

FERMATA_KERNEL read_global(unsigned* out) {
  out[0] = counter;
  out[1] = table[2];
  counter = 0;
}

// Blocks that run side by side on one worker must not see each other's variables.
FERMATA_KERNEL rotate_in_shared(unsigned* out) {
  FERMATA_SHARED(tile, unsigned[256]);
  FERMATA_SHARED(pair, std::array<std::uint64_t, 2>);
  unsigned const rank = fm::this_block().thread_rank(), size = fm::this_block().size(),
                 block = fm::this_grid().block_rank();
  if (rank == 0) pair = {block, ~std::uint64_t{block}};
  tile[rank] = block * 1000 + rank;
  for (int i = 0; i < 10; ++i) {
    fm::this_block().sync();
    unsigned const next = tile[(rank + 1) % size];
    fm::this_block().sync();
    tile[rank] = next;
  }
  fm::this_block().sync();
  out[fm::this_grid().thread_rank()] = pair[0] == block && pair[1] == ~std::uint64_t{block} ? tile[rank] : 0;
}

template <class T>
FERMATA_DEVICE T* shared_of() {
  FERMATA_SHARED(mine, T);
  return &mine;
}

FERMATA_KERNEL variables_of_templates(unsigned* out) {
  void const* const a = shared_of<unsigned>();
  void const* const b = shared_of<int>();
  *out = a != b && a == shared_of<unsigned>();
}

FERMATA_KERNEL find_poison(unsigned* out) {
  FERMATA_SHARED(tile, unsigned[64]);
  unsigned const* const dynamic = fm::dynamic_shared<unsigned>();
  unsigned const rank = fm::this_block().thread_rank();
  out[fm::this_grid().thread_rank()] = tile[rank] == 0xCBCBCBCBu && dynamic[rank] == 0xCBCBCBCBu;
  fm::this_block().sync();
  tile[rank] = 0;
  fm::dynamic_shared<unsigned>()[rank] = 0;
}

FERMATA_KERNEL forty_kilobytes(unsigned* out) {
  FERMATA_SHARED(big, unsigned char[40 * 1024]);
  big[fm::this_block().thread_rank()] = 1;
  fm::this_block().sync();
  *out = big[0];
}

FERMATA_KERNEL aligned_variables(unsigned* out) {
  struct alignas(512) wide {
    unsigned char bytes[512];
  };
  FERMATA_SHARED(byte, unsigned char);
  FERMATA_SHARED(line, wide);
  byte = 1;
  *out = reinterpret_cast<std::uintptr_t>(&line) % 512 == 0;
}

}  // namespace

TEST_CASE("host: globals start at zero and are one for the device") {
  auto out = test::filled<unsigned>(2);
  test::run({8, 100}, count_in_global);
  test::run({1, 1}, read_global, out.data());
  auto const got = test::downloaded(out);
  CHECK(got[0] == 800);
  CHECK(got[1] == 5);
}

TEST_CASE("host: shared variables belong to a block") {
  test::with_variable const workers("FERMATA_HOST_WORKERS", "1");
  auto out = test::filled<unsigned>(40 * 256);
  test::run({40, 256}, rotate_in_shared, out.data());
  auto const got = test::downloaded(out);
  for (unsigned i = 0; i < got.size(); ++i) REQUIRE(got[i] == i / 256 * 1000 + (i % 256 + 10) % 256);
}

TEST_CASE("host: each instance of a template has its own shared variable") {
  auto out = test::filled<unsigned>(1);
  test::run({1, 2}, variables_of_templates, out.data());
  CHECK(test::downloaded(out)[0] == 1);
}

TEST_CASE("host: uninitialised memory is recognisable") {
  auto out = test::filled<unsigned>(40 * 64);
  test::run({40, 64, 64 * sizeof(unsigned)}, find_poison, out.data());
  CHECK(test::difference(out, std::vector<unsigned>(40 * 64, 1)) == "");
  fm::buffer<unsigned> const fresh(test::gpu(), 100);
  CHECK(test::difference(fresh, std::vector<unsigned>(100, 0xCBCBCBCBu)) == "");
}

TEST_CASE("host: a block has 64 KiB of shared memory, static and dynamic together") {
  auto out = test::filled<unsigned>(1);
  test::run({2, 64, 24 * 1024}, forty_kilobytes, out.data());
  auto const error = test::error_of_kernel({2, 64, 24 * 1024 + 16}, forty_kilobytes, out.data());
  CHECK(error.code == fm::errc::invalid_argument);
  CHECK(error.mentions("a block has 65536"));
}

TEST_CASE("host: shared variables are aligned as their type asks") {
  auto out = test::filled<unsigned>(1);
  test::run({1, 1}, aligned_variables, out.data());
  CHECK(test::downloaded(out)[0] == 1);
}
