// The course of a launch, for every test: rounds, each with all instances at once.
//
//   all blocks meet (release, acquire) · the lines that will be read are warmed · all blocks meet again, relaxed, so
//   that they start together and nothing is invalidated · a short random delay · the accesses of the test ·
//   all blocks meet (release, acquire) · outcomes are put together and counted
//
// Nothing is reset between rounds: round r stores 4r + v, so that the value that was there before, 0 in the outcome,
// is known by its round. It must be that of round r - 1: all locations are written in each round, and the meetings
// order rounds. Anything older, newer or foreign is a 3.
#pragma once

#include <cstdint>
#include <fermata/fermata.hpp>

#include "plan.hpp"

namespace litmus {

FERMATA_FN constexpr std::uint32_t stored(std::uint32_t round, std::uint32_t value) noexcept {
  return 4 * round + value;
}

FERMATA_FN constexpr std::uint32_t decoded(std::uint32_t word, std::uint32_t round) noexcept {
  std::uint32_t const value = word & 3u;
  if (word >> 2 == round) return value == 0 ? 3 : value;
  return word >> 2 == round - 1 ? 0 : 3;
}

// A part is stored with its round, so that it can be seen whether everybody was there. Rounds have 24 bits.
FERMATA_FN constexpr std::uint32_t tagged(std::uint32_t round, std::uint32_t bits) noexcept {
  return round << 8 | bits;
}

// The blocks of the test meet. `step` counts the meetings at a word from 1. Not fermata's grid barrier: the blocks that
// make stress traffic stay away, and tests of the grid barrier must not depend on it.
template <class Arrive, class Leave>
FERMATA_DEVICE void meet(std::uint32_t& word, std::uint32_t blocks, std::uint32_t step, Arrive arrive,
                         Leave leave) noexcept {
  fm::this_block().sync();
  if (fm::this_block().thread_rank() == 0) {
    fm::device_atomic_ref<std::uint32_t> const ref(word);
    ref.fetch_add(1, arrive);
    std::uint32_t const target = blocks * step;
    while (static_cast<std::int32_t>(ref.load(leave) - target) < 0) {
    }
  }
  fm::this_block().sync();
}

// Puts together what the parts of an instance saw, and counts it.
FERMATA_DEVICE inline void collect(launch_plan const& p, std::uint32_t instance, std::uint32_t round,
                                   unsigned* histogram) noexcept {
  std::uint32_t bits = 0;
  bool whole = true;
  for (std::uint32_t role = 0; role < p.who.roles; ++role) {
    std::uint32_t const word = p.seen[instance * p.who.roles + role];
    whole = whole && word >> 8 == round;
    bits |= word & 0xFFu;
  }
  for (std::uint32_t e = p.loads; e < p.entries; ++e) {
    std::uint32_t& word = p.words[p.where.word_of(instance, e - p.loads)];
    bits |= decoded(fm::device_atomic_ref<std::uint32_t>(word).load(fm::memory_order_relaxed), round) << (2 * e);
  }
  if (!whole) {
    fm::device_atomic_ref<std::uint64_t>(p.found->mixed).fetch_add(1, fm::memory_order_relaxed);
    return;
  }
  fm::block_atomic_ref<unsigned>(histogram[bits]).fetch_add(1, fm::memory_order_relaxed);
  if ((p.forbidden[bits / 32] >> (bits % 32) & 1u) != 0) {
    std::uint32_t const n =
        fm::device_atomic_ref<std::uint32_t>(p.found->forbidden).fetch_add(1, fm::memory_order_relaxed);
    if (n < max_witnesses) p.found->witnesses[n] = {round, instance, bits};
  }
}

// Loads and stores on lines that no test uses, until the test is over.
FERMATA_DEVICE inline void make_traffic(launch_plan const& p) noexcept {
  std::uint32_t random = mix(p.who.seed + static_cast<std::uint32_t>(fm::this_grid().thread_rank()));
  fm::device_atomic_ref<std::uint32_t> const over(p.place->over);
  std::uint32_t sum = 0;
  while (over.load(fm::memory_order_relaxed) == 0)
    for (unsigned n = 0; n < 16; ++n) {
      random = mix(random + n);
      std::uint32_t& word = p.scratch[std::uint64_t{random % p.scratch_lines} * layout::line_words];
      fm::device_atomic_ref<std::uint32_t> const ref(word);
      if ((random >> 28) % 2 == 0)
        ref.store(random, fm::memory_order_relaxed);
      else
        sum += ref.load(fm::memory_order_relaxed);
    }
  p.idle[fm::this_grid().thread_rank()] = sum;
}

// Runs all rounds. `body` is the test:
//   body.prepare(mine, round)     before the first round and after each, when nobody is inside a test
//   body.warm(mine, round)        plain reads of what play will read; the sum of what was there
//   body.play(mine, round)        the accesses; returns the bits of the outcome that this part contributes
// All threads of a block call both together.
template <class Body>
FERMATA_DEVICE void play_rounds(launch_plan const& p, Body body) noexcept {
  FERMATA_SHARED(histogram, unsigned[outcome_count]);
  auto const block = fm::this_block();
  std::uint32_t const me = block.thread_rank(), my_block = fm::this_grid().block_rank();
  if (my_block >= p.who.blocks) {
    make_traffic(p);
    return;
  }
  for (std::uint32_t i = me; i < outcome_count; i += block.size()) histogram[i] = 0;
  std::uint32_t work = mix(p.who.seed ^ mix(my_block * 1024 + me / fm::wave::size()));
  body.prepare(part_of(p.who, my_block, me, 1), 0);

  for (std::uint32_t round = 1; round <= p.rounds; ++round) {
    part const mine = part_of(p.who, my_block, me, round);
    meet(p.place->arrived, p.who.blocks, 2 * round - 1, fm::memory_order_release, fm::memory_order_acquire);
    if (p.warm == warming::on || (p.warm == warming::alternate && (round & 1u) != 0)) work += body.warm(mine, round);
    // The same for all lanes of a wave: they would wait for the slowest of them anyway.
    std::uint32_t random = mix(p.who.seed + round) ^ mix(my_block * 64 + me / fm::wave::size());
    std::uint32_t const delay = p.max_delay == 0 || (round & 2u) != 0 ? 0 : mix(random) % p.max_delay;
    meet(p.place->released, p.who.blocks, round, fm::memory_order_relaxed, fm::memory_order_relaxed);
    for (std::uint32_t n = 0; n < delay; ++n) random = mix(random + n);
    std::uint32_t const bits = body.play(mine, round);
    work += random;
    p.seen[mine.instance * p.who.roles + mine.role] = tagged(round, bits);
    meet(p.place->arrived, p.who.blocks, 2 * round, fm::memory_order_release, fm::memory_order_acquire);
    body.prepare(mine, round);
    // Every so many threads one collects, so that all waves have work.
    if (std::uint32_t const thread = my_block * block.size() + me; thread % p.who.roles == 0)
      collect(p, thread / p.who.roles, round, histogram);
  }

  block.sync();
  for (std::uint32_t i = me; i < outcome_count; i += block.size())
    if (histogram[i] != 0)
      fm::device_atomic_ref<std::uint64_t>(p.found->histogram[i]).fetch_add(histogram[i], fm::memory_order_relaxed);
  p.idle[my_block * block.size() + me] = work;
  if (my_block == 0 && me == 0) fm::device_atomic_ref<std::uint32_t>(p.place->over).store(1, fm::memory_order_relaxed);
}

}  // namespace litmus
