// Which outcomes of a test are allowed: computed, not written down.
#pragma once

#include "program.hpp"

namespace litmus {

// All outcomes that the model allows when every access and fence of the program has the given scope.
//
// The model is the axiomatic one of the PTX ISA ("Memory Consistency Model", version 6.0 and later; D. Lustig, S.
// Sahasrabuddhe, O. Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency Model", ASPLOS 2019) without
// read-modify-writes, proxies and dependencies, which no test here has. All executions are enumerated: every source of
// every load, every coherence order (partial where writes race), every order of the fence.sc.
//
// fermata's operations are taken as what they are on CUDA: a seq_cst access is fence.sc and then the acquiring load or
// the relaxed store, every other fence is fence.acq_rel. What is forbidden so is forbidden by the C++ orders, too, in
// every test here, and so on every backend.
outcome_set allowed_outcomes(program const& p, reach scope);

// The outcomes of all interleavings of the accesses, as if memory were one: what needs no weak memory to be seen.
outcome_set interleaved_outcomes(program const& p);

}  // namespace litmus
