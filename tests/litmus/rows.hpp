// The rows of the suite: a shape, in one variant of its orders, at one scope, with its threads in one placement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan.hpp"
#include "program.hpp"

namespace litmus {

// blocks: each thread of the test in a block of its own. waves: all in one block, each in a wave of its own.
enum class placement { blocks, waves };

struct row {
  std::string test, variant;
  reach scope;
  placement where;
  program what;    // of a contract empty: its outcomes are what the header promises
  unsigned roles;  // threads, of a contract those that play
  unsigned locations;
  unsigned loads, entries;
  outcome asked;  // the outcome that the test is about
  outcome_set allowed;
  std::string authority;  // who says what is allowed
  playable kernel;
  unsigned ordered = 1;       // for the kernel
  bool whole_blocks = false;  // pairs of blocks, whose threads stay together
  unsigned cluster = 1;       // blocks a cluster, where the device has clusters
  bool no_strangers = false;  // the library counts the blocks of the grid: none may stand beside the test

  std::string name() const;
  // Whether the asked outcome must not be seen; otherwise the row is a control.
  bool forbids() const { return !allowed.has(asked); }
};

char const* name_of(reach);
char const* name_of(placement);

// "0,1": the entries of an outcome in order.
std::string text_of(outcome o, unsigned entries);

// All of them, in a fixed order.
std::vector<row> make_rows();

// The rows whose kernels are contracts of the library (contracts.cpp).
std::vector<row> make_contract_rows();

// The row with a pause between the accesses of its threads. Pre: can_pause.
bool can_pause(row const& r);
row paused(row r);

// The thread programs of a row as the kernel is told them. Pre: the row is no contract.
std::vector<thread_plan> plan_of(row const& r);

}  // namespace litmus
