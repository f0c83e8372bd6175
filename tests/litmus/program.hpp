// What a litmus test is made of. Each thread runs two accesses at most, with a fence or a block barrier between them:
// every classic shape is built from such threads.
//
// The kinds and the orders of a thread's accesses are its `snippet`, known at compile time, because fermata's orders
// are; where the accesses go and what they store are run-time data. So one kernel a scope serves all shapes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace litmus {

inline constexpr unsigned max_threads = 4, max_locations = 3, max_entries = 4;

enum class access : unsigned char { none, load, store };
enum class strength : unsigned char { plain, relaxed, acquire, release, seq_cst };
enum class between : unsigned char { nothing, release, acquire, acq_rel, seq_cst, block_barrier };
enum class reach : unsigned char { block, device, system };

struct snippet {
  access first;
  strength first_order;
  between middle;
  access second;
  strength second_order;

  constexpr bool operator==(snippet const&) const = default;
};

// All snippets there are; rows.cpp makes the rows from them.
inline constexpr snippet snippets[] = {
    // store, store
    {access::store, strength::relaxed, between::nothing, access::store, strength::relaxed},
    {access::store, strength::relaxed, between::nothing, access::store, strength::release},
    {access::store, strength::seq_cst, between::nothing, access::store, strength::seq_cst},
    {access::store, strength::relaxed, between::release, access::store, strength::relaxed},
    {access::store, strength::relaxed, between::seq_cst, access::store, strength::relaxed},
    {access::store, strength::plain, between::nothing, access::store, strength::relaxed},
    {access::store, strength::plain, between::nothing, access::store, strength::release},
    // load, load
    {access::load, strength::relaxed, between::nothing, access::load, strength::relaxed},
    {access::load, strength::acquire, between::nothing, access::load, strength::relaxed},
    {access::load, strength::seq_cst, between::nothing, access::load, strength::seq_cst},
    {access::load, strength::relaxed, between::acquire, access::load, strength::relaxed},
    {access::load, strength::relaxed, between::seq_cst, access::load, strength::relaxed},
    {access::load, strength::relaxed, between::nothing, access::load, strength::plain},
    {access::load, strength::acquire, between::nothing, access::load, strength::plain},
    {access::load, strength::plain, between::nothing, access::load, strength::plain},
    // store, load
    {access::store, strength::relaxed, between::nothing, access::load, strength::relaxed},
    {access::store, strength::release, between::nothing, access::load, strength::acquire},
    {access::store, strength::seq_cst, between::nothing, access::load, strength::seq_cst},
    {access::store, strength::relaxed, between::acq_rel, access::load, strength::relaxed},
    {access::store, strength::relaxed, between::seq_cst, access::load, strength::relaxed},
    // load, store
    {access::load, strength::relaxed, between::nothing, access::store, strength::relaxed},
    {access::load, strength::acquire, between::nothing, access::store, strength::release},
    {access::load, strength::seq_cst, between::nothing, access::store, strength::seq_cst},
    {access::load, strength::relaxed, between::acq_rel, access::store, strength::relaxed},
    {access::load, strength::relaxed, between::seq_cst, access::store, strength::relaxed},
    // a store alone
    {access::store, strength::relaxed, between::nothing, access::none, strength::relaxed},
    {access::store, strength::release, between::nothing, access::none, strength::relaxed},
    {access::store, strength::seq_cst, between::nothing, access::none, strength::relaxed},
};
inline constexpr unsigned snippet_count = sizeof(snippets) / sizeof(snippets[0]);

// Where an access goes, and what it stores (1 or 2) or which entry of the outcome it fills.
struct operand {
  unsigned char location = 0;
  unsigned char value = 0;
  unsigned char entry = 0;
};

struct thread_program {
  snippet code;
  operand first, second;
  // Threads of one number share a block. Placement of the whole test may put all of them into one.
  unsigned block = 0;
};

// An outcome: the values that the loads saw, then the final values of the locations where they matter. Two bits each:
// 0 what was there before, 1 and 2 what the test stores, 3 anything else, which no test ever allows.
using outcome = std::uint8_t;
inline constexpr unsigned outcome_count = 1u << (2 * max_entries);

constexpr unsigned entry_of(outcome o, unsigned entry) { return o >> (2 * entry) & 3u; }

// A set of outcomes.
class outcome_set {
 public:
  void add(outcome o) { words_[o / 32] |= 1u << (o % 32); }
  bool has(outcome o) const { return (words_[o / 32] >> (o % 32) & 1u) != 0; }
  std::array<std::uint32_t, outcome_count / 32> const& words() const { return words_; }
  bool operator==(outcome_set const&) const = default;

 private:
  std::array<std::uint32_t, outcome_count / 32> words_{};
};

// A test as the model sees it and as the kernels run it.
struct program {
  std::vector<thread_program> threads;
  unsigned locations = 1;
  unsigned loads = 0;       // entries of the outcome that loads fill
  bool has_finals = false;  // the final values of all locations follow

  unsigned entries() const { return loads + (has_finals ? locations : 0); }
};

}  // namespace litmus
