// Compare-exchange of one type in all its forms. One translation unit for the narrow types and one for the wide ones
// include it, so that they compile beside each other.
#pragma once

#include "atomic_cells.hpp"

namespace test {

// Success order × failure order, and success order alone; strong everywhere, weak once more.
inline constexpr unsigned cas_forms = order_count * load_order_count + order_count + order_count;
inline constexpr unsigned cas_cells = cas_forms * scope_count;

template <class T>
FERMATA_KERNEL cas_all(T* memory, T const* expected, T const* desired, T* seen, unsigned char* done, unsigned cases) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= cases) return;
  unsigned at = i;
  auto const record = [&](auto&& compare_exchange) {
    T value = expected[i];
    done[at] = compare_exchange(value) ? 1 : 0;
    seen[at] = value;
    at += cases;
  };
  for_each_scope([&](auto scope) {
    for_each_order([&](auto success) {
      for_each_load_order([&](auto failure) {
        record([&](T& value) {
          return ref_to(memory[at], scope).compare_exchange_strong(value, desired[i], success, failure);
        });
      });
      record([&](T& value) { return ref_to(memory[at], scope).compare_exchange_strong(value, desired[i], success); });
      record([&](T& value) { return ref_to(memory[at], scope).compare_exchange_weak(value, desired[i], success); });
    });
  });
}

// All triples of values: (memory, expected, desired), in every form. Whether an exchange happens goes by bits alone.
template <class T>
void check_cas(std::vector<T> const& values) {
  std::vector<T> memory, expected, desired, memory_after, expected_after;
  std::vector<unsigned char> done;
  for (T const& m : values)
    for (T const& e : values)
      for (T const& d : values) {
        bool const equal = std::memcmp(&m, &e, sizeof(T)) == 0;
        memory.push_back(m);
        expected.push_back(e);
        desired.push_back(d);
        memory_after.push_back(equal ? d : m);
        expected_after.push_back(equal ? e : m);
        done.push_back(equal ? 1 : 0);
      }
  unsigned const cases = static_cast<unsigned>(memory.size());
  auto in_memory = uploaded(repeated(memory, cas_cells)), seen = filled<T>(cases * cas_cells, 0xCD);
  auto of_expected = uploaded(expected), of_desired = uploaded(desired);
  auto of_done = filled<unsigned char>(cases * cas_cells, 0xCD);
  run({(cases + 63) / 64, 64}, cas_all<T>, in_memory.data(), of_expected.data(), of_desired.data(), seen.data(),
      of_done.data(), cases);
  CHECK(difference(of_done, repeated(done, cas_cells)) == "");
  CHECK(difference(seen, repeated(expected_after, cas_cells)) == "");
  CHECK(difference(in_memory, repeated(memory_after, cas_cells)) == "");
}

}  // namespace test
