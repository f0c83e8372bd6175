// Who plays which thread of which instance of a test, and where the instance's words lie.
#pragma once

#include <cstdint>
#include <fermata/runtime.hpp>

#include "program.hpp"

namespace litmus {

namespace fm = fermata;

// A well mixed number for each seed.
FERMATA_FN constexpr std::uint32_t mix(std::uint32_t x) noexcept {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  x ^= x >> 16;
  return x;
}

// Who may meet whom. grid: roles in different blocks, any thread with any. block: all threads of an instance in one
// block, each role in waves of its own. block_pairs: as grid, but the threads of a block stay together.
enum class grouping : std::uint32_t { grid, block, block_pairs };

// In every round each (role, instance) has exactly one thread. Were that not so, one "instance" would be made of
// the threads of two, and would show weak outcomes that never happened. verify_pairing() checks it beforehand, and the
// kernels check it in each round by the tags that the threads leave behind.
struct pairing {
  static constexpr unsigned multiplier_count = 8;

  std::uint32_t roles;    // threads of the test
  std::uint32_t threads;  // of a block
  std::uint32_t blocks;
  std::uint32_t count;  // instances that are permuted among themselves
  grouping group;
  std::uint32_t seed;
  std::uint32_t multipliers[multiplier_count];  // each has no divisor in common with `count`; the first is 1

  FERMATA_FN std::uint32_t instances() const noexcept { return blocks * threads / roles; }
};

struct part {
  std::uint32_t role;
  std::uint32_t instance;
};

// The part that a thread plays in a round. An affine map with an invertible factor is a permutation.
FERMATA_FN inline part part_of(pairing const& p, std::uint32_t block, std::uint32_t thread,
                               std::uint32_t round) noexcept {
  bool const in_block = p.group == grouping::block, in_pairs = p.group == grouping::block_pairs;
  // Turned at random, as who comes to a meeting last may well alternate from round to round.
  std::uint32_t const turn = mix(p.seed + mix(round)) >> 8;
  std::uint32_t const role = ((in_block ? thread / p.count : block) + turn) % p.roles;
  std::uint32_t const index = in_block ? thread % p.count : in_pairs ? thread : block / p.roles * p.threads + thread;
  std::uint32_t const random = mix(p.seed ^ mix(round * max_threads + role));
  std::uint64_t const multiplier = p.multipliers[random % pairing::multiplier_count];
  auto const moved = static_cast<std::uint32_t>((multiplier * index + (random >> 4)) % p.count);
  if (in_block) return {role, block * p.count + moved};
  if (!in_pairs) return {role, moved};
  std::uint32_t const pairs = p.blocks / p.roles, pair = (block / p.roles + role * (turn % pairs)) % pairs;
  return {role, pair * p.count + moved};
}

// The word of a location: on a line of its own, `group` lines from the next location of the same instance.
struct layout {
  static constexpr std::uint32_t line_words = 128 / 4;

  std::uint32_t locations;
  std::uint32_t group;  // the distance between x and y, in lines

  FERMATA_FN std::uint64_t word_of(std::uint32_t instance, std::uint32_t location) const noexcept {
    std::uint64_t const line =
        instance % group + std::uint64_t{location} * group + std::uint64_t{instance / group} * group * locations;
    return line * line_words;
  }
  // For so many instances.
  std::uint64_t words(std::uint32_t instances) const noexcept {
    return (std::uint64_t{instances} + group - 1) / group * group * locations * line_words;
  }
};

// Makes the pairing of a launch. Pre: `blocks` is a multiple of `roles`, or with grouping::block `threads` is.
pairing make_pairing(unsigned roles, unsigned blocks, unsigned threads, grouping group, std::uint32_t seed);

// True if in the first `rounds` rounds every role of every instance is played exactly once, and no two locations of any
// two instances share a line.
bool verify_pairing(pairing const& p, unsigned rounds);
bool verify_layout(layout const& l, std::uint32_t instances);

}  // namespace litmus
