// The slot that carries the number of its step beside the data.
#include <algorithm>

#include "support.hpp"

namespace {

struct alignas(1) color {
  std::uint8_t r, g, b;
};

// All blocks send to all, step after step, through two sets of slots that take turns: nobody writes the next but one
// before everybody has read this one.
template <class T>
FERMATA_KERNEL all_to_all(fm::flagged<T>* slots, unsigned* wrong, std::uint32_t first_epoch, unsigned rounds) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const me = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned mismatches = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    std::uint32_t const epoch = first_epoch + round;
    fm::flagged<T>* const set = slots + (round & 1) * blocks;
    set[me].publish(test::value_of<T>(round * blocks + me), epoch);
    for (unsigned other = 0; other < blocks; ++other) {
      mismatches += !test::equal_bits(set[other].await(epoch), test::value_of<T>(round * blocks + other));
    }
  }
  wrong[me] = mismatches;
}

FERMATA_KERNEL ask_ready(fm::flagged<float>* slot, unsigned* answers) {
  answers[0] = slot->ready(1);
  answers[1] = slot->ready(0);  // a zeroed slot holds step 0
  slot->publish(1.0f, 1);
  answers[2] = slot->ready(1);
  answers[3] = slot->ready(0);
  answers[4] = slot->ready(2);
  slot->publish(2.0f, 2);
  answers[5] = slot->ready(1);
  answers[6] = slot->ready(2);
}

// Every value has a bit pattern of its own choice, also those that a sentinel would take for empty.
template <class T>
FERMATA_KERNEL publish_values(fm::flagged<T>* slots, T const* values) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  slots[i].publish(values[i], 77 + i);
}
template <class T>
FERMATA_KERNEL await_values(fm::flagged<T>* slots, T* received) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  received[i] = slots[i].await(77 + i);
}

template <class T>
void check_all_to_all(unsigned blocks, std::uint32_t first_epoch, unsigned rounds) {
  CAPTURE(blocks);
  CAPTURE(first_epoch);
  CAPTURE(sizeof(T));
  auto slots = test::uploaded(std::vector<fm::flagged<T>>(2 * blocks));
  auto wrong = test::filled<unsigned>(blocks, 0xFF);
  test::run_cooperative({blocks, 32}, all_to_all<T>, slots.data(), wrong.data(), first_epoch, rounds);
  CHECK(test::difference(wrong, std::vector<unsigned>(blocks, 0u)) == "");
}

}  // namespace

TEST_SUITE("flagged") {
  TEST_CASE_TEMPLATE("all blocks to all blocks over many steps", T, std::uint8_t, std::int16_t, color, std::uint32_t,
                     float) {
    for (unsigned blocks : {1u, 2u, 5u}) check_all_to_all<T>(blocks, 1, 200);
  }
  TEST_CASE("the step number may wrap around") { check_all_to_all<std::uint32_t>(3, 0xFFFFFFFDu, 40); }
  TEST_CASE("more blocks") {
    unsigned const most = static_cast<unsigned>(fm::max_resident_blocks(test::gpu(), all_to_all<float>, 32));
    check_all_to_all<float>(std::min(most, 64u), 1, 20);
  }

  TEST_CASE("ready knows one step from another") {
    auto slot = test::uploaded(std::vector<fm::flagged<float>>(1));
    auto answers = test::filled<unsigned>(7, 0xCD);
    test::run({1, 1}, ask_ready, slot.data(), answers.data());
    CHECK(test::difference(answers, std::vector<unsigned>{0, 1, 1, 0, 0, 0, 1}) == "");
  }

  TEST_CASE_TEMPLATE("any bits are data", T, float, std::uint32_t, std::int8_t) {
    std::vector<T> values;
    for (unsigned i = 0; i < 256; ++i) values.push_back(test::value_of<T>(i));
    for (std::uint32_t special : {0u, ~0u, 0x7FA5A5A5u, 0x80000000u, 0x7F800001u}) {
      T value;
      std::memcpy(&value, &special, sizeof(T));
      values[special % 256] = value;
    }
    auto slots = test::uploaded(std::vector<fm::flagged<T>>(256));
    auto input = test::uploaded(values), received = test::filled<T>(256, 0xCD);
    test::run({4, 64}, publish_values<T>, slots.data(), input.data());
    test::run({4, 64}, await_values<T>, slots.data(), received.data());
    CHECK(test::difference(received, values) == "");
  }

  TEST_CASE("the word in memory: the step above, the value below") {
    using slot = fm::flagged<std::int16_t>;
    CHECK(slot::pack(-2, 0x12345678u) == 0x123456780000FFFEull);
    CHECK(slot::epoch_of(0x123456780000FFFEull) == 0x12345678u);
    CHECK(slot::value_of(0x123456780000FFFEull) == -2);
    static_assert(sizeof(slot) == 8 && alignof(slot) == 8);
  }
}
