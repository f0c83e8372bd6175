// Compare-exchange of one type in all its forms. One translation unit for the narrow types and one for the wide ones
// include it, so that they compile beside each other.
#pragma once

#include "atomic_cells.hpp"

namespace test {

// All forms: every scope with every success and failure order; and the forms with one order, strong and weak, which are
// made of the others.
struct every_form {
  static constexpr unsigned count = 6 * 15 + 2 * one_of_each::count;
  template <class F, class G, class H>
  FERMATA_DEVICE static void visit(F with_two, G strong, H weak) {
    for_each_scope([&](auto scope) {
      for_each_order(
          [&](auto success) { for_each_load_order([&](auto failure) { with_two(scope, success, failure); }); });
    });
    one_of_each::visit(strong);
    one_of_each::visit(weak);
  }
};
struct one_of_each_form {
  static constexpr unsigned count = 3 * one_of_each::count;
  template <class F, class G, class H>
  FERMATA_DEVICE static void visit(F with_two, G strong, H weak) {
    one_of_each::visit([&](auto scope, auto success) { with_two(scope, success, fm::memory_order_acquire); });
    one_of_each::visit(strong);
    one_of_each::visit(weak);
  }
};

// W is the word that holds a T, so that the host's half is compiled once for each size.
template <class Forms, class T, class W>
FERMATA_KERNEL cas_forms(W* words, W const* expected, W const* desired, W* seen, unsigned char* done, unsigned cases) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= cases) return;
  unsigned at = i;
  T* const memory = reinterpret_cast<T*>(words);
  T const before = same_bits<T>(expected[i]), after = same_bits<T>(desired[i]);
  auto const record = [&](bool exchanged, T const& value) {
    done[at] = exchanged ? 1 : 0;
    seen[at] = same_bits<W>(value);
    at += cases;
  };
  Forms::visit(
      [&](auto scope, auto success, auto failure) {
        T value = before;
        bool const exchanged = ref_to(memory[at], scope).compare_exchange_strong(value, after, success, failure);
        record(exchanged, value);
      },
      [&](auto scope, auto order) {
        T value = before;
        bool const exchanged = ref_to(memory[at], scope).compare_exchange_strong(value, after, order);
        record(exchanged, value);
      },
      [&](auto scope, auto order) {
        T value = before;
        bool const exchanged = ref_to(memory[at], scope).compare_exchange_weak(value, after, order);
        record(exchanged, value);
      });
}

// All triples of values: (memory, expected, desired), in the forms. Whether an exchange happens goes by bits alone.
template <class W>
void check_cas_words(std::vector<W> const& values, void (*kernel)(W*, W const*, W const*, W*, unsigned char*, unsigned),
                     unsigned forms) {
  std::vector<W> memory, expected, desired, memory_after, expected_after;
  std::vector<unsigned char> done;
  for (W const m : values)
    for (W const e : values)
      for (W const d : values) {
        memory.push_back(m);
        expected.push_back(e);
        desired.push_back(d);
        memory_after.push_back(m == e ? d : m);
        expected_after.push_back(m == e ? e : m);
        done.push_back(m == e ? 1 : 0);
      }
  unsigned const cases = static_cast<unsigned>(memory.size());
  auto in_memory = uploaded(repeated(memory, forms)), seen = filled<W>(cases * forms, 0xCD);
  auto of_expected = uploaded(expected), of_desired = uploaded(desired);
  auto of_done = filled<unsigned char>(cases * forms, 0xCD);
  run({(cases + 63) / 64, 64}, kernel, in_memory.data(), of_expected.data(), of_desired.data(), seen.data(),
      of_done.data(), cases);
  CHECK(difference(of_done, repeated(done, forms)) == "");
  CHECK(difference(seen, repeated(expected_after, forms)) == "");
  CHECK(difference(in_memory, repeated(memory_after, forms)) == "");
}

template <class Forms, class T>
void check_cas(std::initializer_list<T> values) {
  using word = word_of<T>;
  check_cas_words<word>(words_of(values), cas_forms<Forms, T, word>, Forms::count);
}

}  // namespace test
