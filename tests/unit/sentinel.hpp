// Values through sentinels, as bits.
#pragma once

#include "float_classes.hpp"

namespace test {

// Block 0 fills one slot after the other; every thread of block 1 waits for its own.
template <class T>
FERMATA_KERNEL send(fm::sentinel<T>* slots, T const* values, bits_t<T>* received, unsigned count) {
  unsigned const rank = fm::this_block().thread_rank();
  if (fm::this_grid().block_rank() == 0) {
    for (unsigned i = rank; i < count; i += fm::this_block().size()) slots[i].publish(values[i]);
  } else {
    for (unsigned i = rank; i < count; i += fm::this_block().size())
      received[i] = same_bits<bits_t<T>>(slots[i].await());
  }
}

template <class T>
fm::buffer<fm::sentinel<T>> armed(unsigned count) {
  return uploaded(std::vector<fm::sentinel<T>>(count));
}

// Sends the bits and gives back what came out.
template <class T>
std::vector<bits_t<T>> transmit(std::vector<bits_t<T>> const& bits) {
  unsigned const count = static_cast<unsigned>(bits.size());
  std::vector<T> values;
  for (bits_t<T> b : bits) values.push_back(same_bits<T>(b));
  auto slots = armed<T>(count);
  auto input = uploaded(values);
  auto received = filled<bits_t<T>>(count, 0xCD);
  run_cooperative({2, 40}, send<T>, slots.data(), input.data(), received.data(), count);
  return downloaded(received);
}

// All neighbours of the empty pattern but itself.
template <class T>
void add_neighbours(std::vector<bits_t<T>>& to) {
  bits_t<T> const empty = fm::sentinel_traits<T>::empty;
  for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit) to.push_back(empty ^ (bits_t<T>{1} << bit));
}

}  // namespace test
