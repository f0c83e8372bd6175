// The slot whose data is its own flag.
#include <algorithm>
#include <limits>

#include "sentinel.hpp"

namespace {

// A type of the user's, with a value to spare.
struct ticket {
  std::uint32_t number;
};

}  // namespace

template <>
struct fermata::sentinel_traits<ticket> {
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return bits == empty ? 0 : bits;
  }
};

namespace {

using test::armed;
using test::bits_t;
using test::transmit;

// Each block waits for the one before it, and adds one.
template <class T>
FERMATA_KERNEL chain(fm::sentinel<T>* slots, T* received, T start) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const b = fm::this_grid().block_rank();
  T const value = b == 0 ? start : slots[b - 1].await() + T(1);
  slots[b].publish(value);
  received[b] = value;
}

// What ready() says of an armed slot, a filled one, and one that was reset.
template <class T>
FERMATA_KERNEL ask_ready(fm::sentinel<T>* slot, unsigned* answers, T value) {
  answers[0] = slot->ready();
  slot->publish(value);
  answers[1] = slot->ready();
  slot->reset();
  answers[2] = slot->ready();
  slot->publish(value);
  answers[3] = slot->ready();
}

// Two blocks send each other values through one slot for each direction. Each resets the slot it has read before it
// answers; the fences order that reset before the answer, and the other's next publish after it.
FERMATA_KERNEL ping_pong(fm::sentinel<float>* there, fm::sentinel<float>* back, unsigned* wrong, unsigned rounds) {
  if (fm::this_block().thread_rank() != 0) return;
  bool const first = fm::this_grid().block_rank() == 0;
  fm::sentinel<float>&in = first ? *back : *there, &out = first ? *there : *back;
  unsigned mismatches = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    float const value = static_cast<float>(round);
    if (first) out.publish(value);
    mismatches += in.await() != (first ? -value : value);
    fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    in.reset();
    fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
    if (!first) out.publish(-value);
  }
  wrong[fm::this_grid().block_rank()] = mismatches;
}

// From the first lane of one wave to all lanes of the next, in shared memory at block scope.
FERMATA_KERNEL within_block(float* received) {
  using slot = fm::sentinel<float, fm::thread_scope::block>;
  unsigned char* const memory = fm::dynamic_shared<unsigned char>();
  slot* const shared = reinterpret_cast<slot*>(memory);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) shared->reset();
  block.sync();
  if (block.thread_rank() == 0) shared->publish(2.5f);
  if (block.thread_rank() >= fm::wave::size()) received[block.thread_rank() - fm::wave::size()] = shared->await();
}

template <class T>
std::vector<bits_t<T>> every_class() {
  std::vector<bits_t<T>> result = test::float_classes<bits_t<T>>(sizeof(T) == 4 ? 23 : 52);
  test::add_neighbours<T>(result);
  return result;
}

}  // namespace

TEST_SUITE("sentinel") {
  TEST_CASE_TEMPLATE("a chain over all blocks", T, float, double) {
    unsigned const blocks = static_cast<unsigned>(std::min(300, fm::max_resident_blocks(test::gpu(), chain<T>, 32)));
    auto slots = armed<T>(blocks);
    auto received = test::filled<T>(blocks);
    test::run_cooperative({blocks, 32}, chain<T>, slots.data(), received.data(), T(0.5));
    std::vector<T> want;
    for (unsigned b = 0; b < blocks; ++b) want.push_back(T(0.5) + static_cast<T>(b));
    CHECK(test::difference(received, want) == "");
  }

  TEST_CASE_TEMPLATE("every class of value passes through with all its bits", T, float, double) {
    std::vector<bits_t<T>> const bits = every_class<T>();
    CHECK(test::difference(transmit<T>(bits), bits) == "");
  }

  TEST_CASE_TEMPLATE("the empty pattern itself is sent as another NaN, and nothing hangs", T, float, double) {
    bits_t<T> const empty = fm::sentinel_traits<T>::empty;
    bits_t<T> const stand_in = fm::sentinel_traits<T>::canonicalise(empty);
    CHECK(stand_in != empty);
    T const value = test::same_bits<T>(stand_in);
    CHECK(value != value);
    CHECK(transmit<T>({empty, empty, empty}) == std::vector<bits_t<T>>(3, stand_in));
  }

  TEST_CASE_TEMPLATE("ready, publish, reset", T, float, double) {
    for (T value : {T(0), T(-1.5), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      auto slot = armed<T>(1);
      auto answers = test::filled<unsigned>(4, 0xCD);
      test::run({1, 1}, ask_ready<T>, slot.data(), answers.data(), value);
      CHECK(test::difference(answers, std::vector<unsigned>{0, 1, 0, 1}) == "");
    }
  }

  TEST_CASE("a slot can be reset and filled again many times") {
    auto there = armed<float>(1), back = armed<float>(1);
    auto wrong = test::filled<unsigned>(2, 0xFF);
    test::run_cooperative({2, 32}, ping_pong, there.data(), back.data(), wrong.data(), 500u);
    CHECK(test::difference(wrong, std::vector<unsigned>{0, 0}) == "");
  }

  TEST_CASE("between waves of one block") {
    unsigned const width = test::wave_size();
    auto received = test::filled<float>(width);
    test::run({1, 2 * width, 16}, within_block, received.data());
    CHECK(test::difference(received, std::vector<float>(width, 2.5f)) == "");
  }

  TEST_CASE("a type of the user's own, by its traits") {
    static_assert(sizeof(fm::sentinel<ticket>) == sizeof(ticket));
    std::vector<std::uint32_t> const sent = {0, 1, 0x7FA5A5A5u, 0x80000000u, 0xFFFFFFFEu, 0xFFFFFFFFu};
    std::vector<std::uint32_t> want = sent;
    want.back() = 0;  // the one value that means empty
    CHECK(test::difference(transmit<ticket>(sent), want) == "");
  }
}
