// What a launch is told, and what it tells.
#pragma once

#include <cstdint>

#include "pairing.hpp"
#include "program.hpp"

namespace litmus {

// Run-time half of a thread's program; the other half is snippets[snippet].
struct thread_plan {
  std::uint32_t snippet;
  operand first, second;
};

// The first few forbidden outcomes of a launch.
struct witness {
  std::uint32_t round, instance, seen;
};
inline constexpr unsigned max_witnesses = 4;

struct findings {
  std::uint64_t histogram[outcome_count];
  std::uint64_t mixed;  // instances that not exactly one thread a role took part in: the pairing is broken
  std::uint32_t forbidden;
  witness witnesses[max_witnesses];
};

// The words that the blocks meet at, each on a line of its own.
struct meeting_place {
  alignas(128) std::uint32_t arrived;
  alignas(128) std::uint32_t released;
  alignas(128) std::uint32_t over;
};

enum class warming : std::uint32_t { off, on, alternate };

struct launch_plan {
  pairing who;
  layout where;
  thread_plan threads[max_threads];
  std::uint32_t loads, entries;  // of the outcome; those behind the loads are final values
  std::uint32_t rounds;
  std::uint32_t max_delay;  // iterations that a wave idles, at most, before its accesses
  warming warm;
  std::uint32_t ordered;  // contracts with a relaxed twin: 0 is the twin
  std::uint32_t forbidden[outcome_count / 32];

  std::uint32_t* words;
  std::uint32_t* seen;  // one a part: the round and what it saw
  std::uint32_t* idle;  // one a thread: so that idling and warming are not optimised away
  std::uint32_t* scratch;
  std::uint32_t scratch_lines;
  meeting_place* place;
  findings* found;
};

// How a row's kernel is launched: run waits for its end.
struct playable {
  void (*run)(fm::stream const&, fm::launch_config const&, launch_plan const&);
  int (*resident)(fm::device const&, unsigned threads, unsigned cluster);
};

}  // namespace litmus
