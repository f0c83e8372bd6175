// Words whose value is their own flag, in a file that is compiled with the fast math of the compiler, subnormals
// flushed to zero where it does that. Every bit of every class of value arrives; only bits are compared here.
#include <fermata/exchange.hpp>

#include "float_classes.hpp"

namespace {

using test::bits_t;

// Kernels of this file alone: those of other files are compiled with other options.
template <class T, class Slot>
FERMATA_KERNEL send_slots(Slot* slots, T const* values, bits_t<T>* received, unsigned count) {
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  bool const publishes = fm::this_grid().block_rank() == 0;
  for (unsigned i = rank; i < count; i += threads) {
    if constexpr (std::is_same_v<Slot, fm::sentinel<T>>) {
      if (publishes)
        slots[i].publish(values[i]);
      else
        received[i] = test::same_bits<bits_t<T>>(slots[i].await());
    } else {
      if (publishes)
        slots[i].publish(values[i], 7 + i);
      else
        received[i] = test::same_bits<bits_t<T>>(slots[i].await(7 + i));
    }
  }
}

// In step s the value of index i is that of index i + s, around.
template <class T, class Protocol>
FERMATA_KERNEL send_through(fm::exchange<T, Protocol> exchange, T const* values, bits_t<T>* received, unsigned count,
                            unsigned steps) {
  auto gather = exchange.open();
  for (unsigned s = 0; s < steps; ++s) {
    gather.publish([&](unsigned i) { return values[(i + s) % count]; });
    gather.await_all([&](unsigned i, T value) {
      if (fm::this_grid().block_rank() == i % 2) received[s * count + i] = test::same_bits<bits_t<T>>(value);
    });
    gather.advance();
  }
}

template <class T>
std::vector<bits_t<T>> every_class() {
  std::vector<bits_t<T>> result = test::float_classes<bits_t<T>>(sizeof(T) == 4 ? 23 : 52);
  result.push_back(fm::sentinel_traits<T>::empty);
  return result;
}

template <class T>
fm::buffer<T> as_values(std::vector<bits_t<T>> const& bits) {
  std::vector<T> values(bits.size());
  std::memcpy(values.data(), bits.data(), bits.size() * sizeof(T));
  return test::uploaded(values);
}

template <class T, class Slot>
std::vector<bits_t<T>> through_slots(std::vector<bits_t<T>> const& bits) {
  unsigned const count = static_cast<unsigned>(bits.size());
  auto slots = test::uploaded(std::vector<Slot>(count));
  auto values = as_values<T>(bits);
  auto received = test::filled<bits_t<T>>(count, 0xCD);
  test::run_cooperative({2, 40}, send_slots<T, Slot>, slots.data(), values.data(), received.data(), count);
  return test::downloaded(received);
}

// `want` is what must arrive of a value's bits.
template <class T, class Protocol, class Want>
void check_exchange(Want want) {
  std::vector<bits_t<T>> const bits = every_class<T>();
  unsigned const count = static_cast<unsigned>(bits.size()), steps = 40;
  fm::exchange_storage<T, Protocol> storage(test::gpu(), 2, count);
  auto values = as_values<T>(bits);
  auto received = test::filled<bits_t<T>>(count * steps, 0xCD);
  test::run_cooperative({2, 40}, send_through<T, Protocol>, storage.handle(), values.data(), received.data(), count,
                        steps);
  std::vector<bits_t<T>> expected;
  for (unsigned s = 0; s < steps; ++s)
    for (unsigned i = 0; i < count; ++i) expected.push_back(want(bits[(i + s) % count]));
  CHECK(test::difference(received, expected) == "");
}

template <class T>
bits_t<T> by_sentinel(bits_t<T> bits) {
  return bits == fm::sentinel_traits<T>::empty ? bits ^ 1 : bits;
}

std::uint32_t by_sense_bit(std::uint32_t bits) { return (bits & 0x7FFFFFFF) == 0x7F800001 ? bits + 1 : bits & ~1u; }

}  // namespace

TEST_SUITE("sentinel") {
  TEST_CASE_TEMPLATE("fast math: every class of value", T, float, double) {
    std::vector<bits_t<T>> const bits = every_class<T>();
    std::vector<bits_t<T>> want = bits;
    want.back() = by_sentinel<T>(want.back());
    CHECK(test::difference(through_slots<T, fm::sentinel<T>>(bits), want) == "");
  }
}

TEST_SUITE("flagged") {
  TEST_CASE("fast math: every class of value") {
    std::vector<std::uint32_t> const bits = every_class<float>();
    CHECK(test::difference(through_slots<float, fm::flagged<float>>(bits), bits) == "");
  }
}

TEST_SUITE("exchange") {
  TEST_CASE("fast math: every class of value") {
    check_exchange<float, fm::sentinel_protocol>(by_sentinel<float>);
    check_exchange<float, fm::flagged_protocol>([](std::uint32_t bits) { return bits; });
    check_exchange<float, fm::sense_bit_protocol>(by_sense_bit);
  }
}
