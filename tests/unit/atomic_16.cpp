// Atomics on 16 bytes, where the target has them.
#include "atomic_cells.hpp"
#include "contention.hpp"

namespace {

struct alignas(16) wide {
  std::uint64_t low, high;
};

// In every scope and order: store, load, exchange, a compare-exchange that fails in either half, and one that succeeds.
template <class T>
FERMATA_KERNEL wide_operations(T* memory, unsigned* wrong) {
  if constexpr (fm::is_atomic_size<sizeof(T)>) {
    unsigned at = 0;
    test::one_of_each::visit([&](auto scope, auto order) {
      auto const ref = test::ref_to(memory[at++], scope);
      T const a = test::value_of<T>(3 * at), b = test::value_of<T>(3 * at + 1), c = test::value_of<T>(3 * at + 2);
      ref.store(a, fm::memory_order_release);
      *wrong += !test::equal_bits(ref.load(fm::memory_order_acquire), a);
      *wrong += !test::equal_bits(ref.exchange(b, order), a);
      T expected = b;
      expected.low ^= 1;
      *wrong += ref.compare_exchange_strong(expected, c, order);
      *wrong += !test::equal_bits(expected, b);
      expected.high ^= 1ull << 63;
      *wrong += ref.compare_exchange_strong(expected, c, order, fm::memory_order_acquire);
      *wrong += !test::equal_bits(expected, b);
      *wrong += !ref.compare_exchange_weak(expected, c, order);
      ref.wait(b, fm::memory_order_acquire);
      *wrong += !test::equal_bits(ref.load(fm::memory_order_seq_cst), c);
      ref.store(b, fm::memory_order_seq_cst);
      ref.store(c, fm::memory_order_relaxed);
    });
  }
}

// Every thread counts both halves up together; nobody may ever see them differ.
template <class T>
FERMATA_KERNEL count_together(T* counter, unsigned* torn, unsigned* calls, unsigned* arrived, std::uint64_t ticks) {
  if constexpr (fm::is_atomic_size<sizeof(T)>) {
    fm::device_atomic_ref<T> const ref(*counter);
    calls[fm::this_grid().thread_rank()] = test::hammer_for(ticks, arrived, [&](unsigned) {
      T seen = ref.load(fm::memory_order_relaxed);
      do {
        if (seen.low != seen.high) fm::device_atomic_ref<unsigned>(*torn).fetch_add(1, fm::memory_order_relaxed);
      } while (!ref.compare_exchange_weak(seen, T{seen.low + 1, seen.high + 1}, fm::memory_order_relaxed));
    });
  }
}

template <class T>
FERMATA_KERNEL ask(unsigned* answer) {
  *answer = fm::is_atomic_size<sizeof(T)> ? 1 : 0;
}

bool has_16() {
  auto answer = test::filled<unsigned>(1);
  test::run({1, 1}, ask<wide>, answer.data());
  return test::downloaded(answer)[0] == 1;
}

}  // namespace

TEST_SUITE("atomic_16") {
  TEST_CASE("every operation of 16 bytes") {
    if (!has_16()) return;  // refused there, which is a compile_fail test
    auto memory = test::filled<wide>(test::one_of_each::count, 0xCD);
    auto wrong = test::filled<unsigned>(1);
    test::run({1, 1}, wide_operations<wide>, memory.data(), wrong.data());
    CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
    std::vector<wide> want;
    for (unsigned at = 1; at <= test::one_of_each::count; ++at) want.push_back(test::value_of<wide>(3 * at + 2));
    CHECK(test::difference(memory, want) == "");
  }
  TEST_CASE("16 bytes are never torn") {
    if (!has_16()) return;
    constexpr unsigned blocks = 2, threads = 32;
    auto counter = test::filled<wide>(1);
    auto torn = test::filled<unsigned>(1), calls = test::filled<unsigned>(blocks * threads),
         arrived = test::filled<unsigned>(1);
    test::run_cooperative({blocks, threads}, count_together<wide>, counter.data(), torn.data(), calls.data(),
                          arrived.data(), test::hammer_ticks());
    std::uint64_t total = 0;
    for (unsigned const n : test::downloaded(calls)) total += n;
    CHECK(test::difference(torn, std::vector<unsigned>{0}) == "");
    CHECK(test::difference(counter, std::vector<wide>{{total, total}}) == "");
  }
}
