// atomic<T, Scope>, the owning form: in shared memory, in a device global, inside other objects; and pointers, which
// count in elements.
#include <algorithm>

#include "support.hpp"

namespace {

template <class T>
using device_atomic = fm::atomic<T, fm::thread_scope_device>;
template <class T>
using block_atomic = fm::atomic<T, fm::thread_scope_block>;

static_assert(!std::is_copy_constructible_v<device_atomic<int>> && !std::is_copy_assignable_v<device_atomic<int>>);
static_assert(std::is_trivially_default_constructible_v<block_atomic<double>>);
static_assert(std::is_trivially_destructible_v<block_atomic<double>>);
static_assert(!std::is_convertible_v<int, device_atomic<int>> && std::is_constructible_v<device_atomic<int>, int>);
static_assert(sizeof(device_atomic<short>) == 2 && alignof(device_atomic<long long>) == 8);
static_assert(device_atomic<int>::scope == fm::thread_scope::device && device_atomic<int>::is_always_lock_free);

struct element {
  int x, y, z;
};

// What every target has, and what none has.
static_assert(fm::is_native<fm::atomic_op::load, double, fm::thread_scope_system>);
static_assert(fm::is_native<fm::atomic_op::fetch_add, element*, fm::thread_scope_device>);
static_assert(!fm::is_native<fm::atomic_op::fetch_min, float, fm::thread_scope_device>);
static_assert(!fm::is_native<fm::atomic_op::fetch_xor, float, fm::thread_scope_device>);  // refused
static_assert(!fm::is_native<fm::atomic_op::fetch_add, element, fm::thread_scope_device>);  // refused

// Pointers to what has no size are kept, but do not count.
using fm::detail::takes_type;
static_assert(takes_type<void*>(fm::atomic_op::load) && takes_type<void*>(fm::atomic_op::exchange));
static_assert(!takes_type<void*>(fm::atomic_op::fetch_add) && !takes_type<void*>(fm::atomic_op::fetch_sub));
static_assert(takes_type<element*>(fm::atomic_op::fetch_add) && takes_type<element*>(fm::atomic_op::fetch_sub));

FERMATA_GLOBAL(launches, fm::atomic<unsigned, fm::thread_scope_device>);

// Every member once; `out` gets what each returned.
FERMATA_KERNEL every_member(device_atomic<unsigned>* word, unsigned* out) {
  constexpr auto relaxed = fm::memory_order_relaxed;
  device_atomic<unsigned>& a = *word;
  a.store(10, fm::memory_order_release);
  *out++ = a.load(fm::memory_order_acquire);
  *out++ = a.exchange(20, fm::memory_order_acq_rel);
  *out++ = a.fetch_add(5, relaxed);
  *out++ = a.fetch_sub(1, relaxed);
  *out++ = a.fetch_and(0x1Cu, relaxed);
  *out++ = a.fetch_or(3u, relaxed);
  *out++ = a.fetch_xor(1u, relaxed);
  *out++ = a.fetch_min(7u, relaxed);
  *out++ = a.fetch_max(9u, relaxed);
  *out++ = a.fetch_inc_wrap(9u, relaxed);
  *out++ = a.fetch_dec_wrap(4u, relaxed);
  unsigned expected = 5;
  *out++ = a.compare_exchange_strong(expected, 6u, fm::memory_order_acq_rel, relaxed);
  *out++ = expected;
  *out++ = a.compare_exchange_strong(expected, 6u, fm::memory_order_seq_cst);
  *out++ = a.compare_exchange_weak(expected, 7u, fm::memory_order_release, fm::memory_order_acquire);
  *out++ = expected;
  *out++ = a.compare_exchange_weak(expected, 8u, relaxed);
  a.wait(0, fm::memory_order_acquire);
  a.notify_one();
  a.notify_all();
  *out++ = a.is_lock_free();
}

// The threads of a block number themselves by a counter in shared memory; each block counts itself in the global.
FERMATA_KERNEL number_threads(unsigned* numbers, unsigned* blocks) {
  FERMATA_SHARED(next, fm::atomic<unsigned, fm::thread_scope_block>);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) next.store(0, fm::memory_order_relaxed);
  block.sync();
  numbers[fm::this_grid().thread_rank()] = next.fetch_add(1, fm::memory_order_relaxed);
  if (block.thread_rank() == 0) blocks[fm::this_grid().block_rank()] = launches.fetch_add(1, fm::memory_order_relaxed);
}

// Every thread takes its own element from the front and from the back.
FERMATA_KERNEL take_elements(element** ends) {
  element* const front = fm::device_atomic_ref<element*>(ends[0]).fetch_add(2, fm::memory_order_relaxed);
  element* const back = fm::device_atomic_ref<element*>(ends[1]).fetch_sub(2, fm::memory_order_acq_rel);
  front->x += 1;
  (back - 1)->y += 1;
}
FERMATA_KERNEL set_ends(element** ends, element* elements, unsigned count) {
  ends[0] = elements;
  ends[1] = elements + count;
}
FERMATA_KERNEL owned_pointer(element* elements, int* steps) {
  FERMATA_SHARED(at, fm::atomic<element*, fm::thread_scope_block>);
  at.store(elements + 4, fm::memory_order_relaxed);
  steps[0] = static_cast<int>(at.fetch_add(-3, fm::memory_order_relaxed) - elements);
  steps[1] = static_cast<int>(at.fetch_sub(-6, fm::memory_order_relaxed) - elements);
  steps[2] = static_cast<int>(at.load(fm::memory_order_relaxed) - elements);
}

}  // namespace

TEST_SUITE("atomic_object") {
  TEST_CASE("every member does what that of the reference does") {
    auto word = test::filled<unsigned>(1), out = test::filled<unsigned>(18, 0xCD);
    test::run({1, 1}, every_member, reinterpret_cast<device_atomic<unsigned>*>(word.data()), out.data());
    CHECK(test::difference(out, std::vector<unsigned>{10, 10, 20, 25, 24, 24, 27, 26, 7, 9, 0, 0, 4, 1, 0, 6, 1, 1}) ==
          "");
    CHECK(test::difference(word, std::vector<unsigned>{8}) == "");
  }

  TEST_CASE("in shared memory and in a device global") {
    constexpr unsigned blocks = 5, threads = 96;
    auto numbers = test::filled<unsigned>(blocks * threads, 0xCD), order = test::filled<unsigned>(blocks, 0xCD);
    test::run({blocks, threads}, number_threads, numbers.data(), order.data());
    std::vector<unsigned> seen = test::downloaded(numbers), in_order = test::downloaded(order);
    std::vector<unsigned> want, each_block;
    for (unsigned b = 0; b < blocks; ++b) {
      std::sort(seen.begin() + b * threads, seen.begin() + (b + 1) * threads);
      each_block.push_back(b);
      for (unsigned t = 0; t < threads; ++t) want.push_back(t);
    }
    std::sort(in_order.begin(), in_order.end());
    CHECK(test::difference(seen, want) == "");
    CHECK(test::difference(in_order, each_block) == "");  // the global began at zero
  }

  TEST_CASE("pointers count in elements") {
    constexpr unsigned threads = 64, count = 2 * threads;
    auto elements = test::filled<element>(count);
    auto ends = test::filled<element*>(2);
    test::run({1, 1}, set_ends, ends.data(), elements.data(), count);
    test::run({2, threads / 2}, take_elements, ends.data());
    std::vector<element> want;
    for (unsigned i = 0; i < count; ++i) want.push_back({i % 2 == 0, i % 2 == 1, 0});
    CHECK(test::difference(elements, want) == "");
    CHECK(test::difference(ends, std::vector<element*>{elements.data() + count, elements.data()}) == "");

    auto steps = test::filled<int>(3);
    test::run({1, 1}, owned_pointer, elements.data(), steps.data());
    CHECK(test::difference(steps, std::vector<int>{4, 1, 7}) == "");
  }
}
