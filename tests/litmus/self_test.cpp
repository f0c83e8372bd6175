// The model, the rows and the pairing, without a device.
#include "self_test.hpp"

#include <cstdio>
#include <string>

#include "model.hpp"
#include "pairing.hpp"
#include "run.hpp"

namespace litmus {
namespace {

// Verdicts on the asked outcomes that follow from: the text of the PTX ISA, "Memory Consistency Model" (ISA); the C++
// standard, [intro.races] and [atomics.order] (C); what was observed on GPUs, J. Alglave et al., "GPU Concurrency: Weak
// Behaviours and Programming Assumptions", ASPLOS 2015 (A).
struct known {
  char const* name;
  bool forbidden;
  char const* source;
};
constexpr known known_verdicts[] = {
    {"MP/relaxed/device/blocks", false, "A: mp; C: no synchronizes-with"},
    {"MP/rel_acq/device/blocks", true, "ISA: release and acquire patterns, causality order"},
    {"MP/fence.acq_rel/device/blocks", true, "ISA: release and acquire patterns"},
    {"MP/rel_acq/block/blocks", false, "ISA: morally strong, scopes that do not include each other"},
    {"MP/rel_acq/block/waves", true, "ISA: morally strong"},
    {"MP/release_only/device/blocks", false, "C: no acquire, no synchronizes-with"},
    {"MP/acquire_only/device/blocks", false, "C: no release, no synchronizes-with"},
    {"MP/plain.relaxed/device/blocks", false, "C: a data race"},
    {"MP/plain.rel_acq/device/blocks", true, "ISA: causality order"},
    {"SB/relaxed/device/blocks", false, "A: sb; C: relaxed accesses are not ordered"},
    {"SB/rel_acq/device/blocks", false, "C: release and acquire allow store buffering"},
    {"SB/fence.acq_rel/device/blocks", false, "ISA: only fence.sc orders a store before a load"},
    {"SB/fence.sc/device/blocks", true, "ISA: Fence-SC order; C: seq_cst fences"},
    {"SB/seq_cst/device/blocks", true, "C: a single total order"},
    {"SB/fence.sc/block/blocks", false, "ISA: Fence-SC relates morally strong fences"},
    {"LB/relaxed/device/blocks", false, "A: lb; C: relaxed accesses are not ordered"},
    {"LB/rel_acq/device/blocks", true, "C: happens-before has no cycle"},
    {"CoRR/relaxed/device/blocks", true, "ISA: SC-per-Location"},
    {"CoRR/plain/device/blocks", false, "A: coRR of plain loads; C: a data race"},
    {"CoWW/relaxed/device/blocks", true, "ISA: Coherence"},
    {"2+2W/relaxed/device/blocks", false, "C: relaxed stores to different locations are not ordered"},
    {"2+2W/rel_acq/device/blocks", false, "C: a release without an acquire orders nothing"},
    {"2+2W/fence.sc/device/blocks", true, "C: [atomics.order], fences and coherence"},
    {"ISA2/rel_acq/device/blocks", true, "ISA: base causality is transitive"},
    {"ISA2/middle_relaxed/device/blocks", false, "C: the middle thread does not synchronise"},
    {"WRC/relaxed/device/blocks", false, "C: no synchronizes-with"},
    {"WRC/rel_acq/device/blocks", true, "ISA: observation, then base causality"},
    {"IRIW/relaxed/device/blocks", false, "C: relaxed accesses are not ordered"},
    {"IRIW/rel_acq/device/blocks", false, "C: acquire loads of two readers are in no common order"},
    {"IRIW/fence.sc/device/blocks", true, "C: seq_cst fences between the loads"},
    {"IRIW/seq_cst/device/blocks", true, "C: a single total order"},
    {"MP+block_barrier/rel_acq/device/blocks", true, "ISA: barriers are morally strong and synchronise"},
    {"MP+block_barrier/relaxed/device/blocks", false, "C: no synchronizes-with between the blocks"},
};

class checker {
 public:
  void check(bool good, std::string const& what) {
    ++checks_;
    if (good) return;
    ++failures_;
    std::printf("FAILED: %s\n", what.c_str());
  }
  unsigned checks() const { return checks_; }
  unsigned failures() const { return failures_; }

 private:
  unsigned checks_ = 0, failures_ = 0;
};

row const* find(std::vector<row> const& rows, std::string const& name) {
  for (row const& r : rows)
    if (r.name() == name) return &r;
  return nullptr;
}

void check_model(checker& c, std::vector<row> const& rows) {
  for (known const& k : known_verdicts) {
    row const* const r = find(rows, k.name);
    c.check(r != nullptr, std::string("no row ") + k.name);
    if (r != nullptr)
      c.check(r->forbids() == k.forbidden, std::string(k.name) + ": the model says " +
                                               (r->forbids() ? "forbidden" : "allowed") + ", and " + k.source +
                                               " the opposite");
  }
}

bool includes(outcome_set const& large, outcome_set const& small) {
  for (unsigned o = 0; o < outcome_count; ++o)
    if (small.has(static_cast<outcome>(o)) && !large.has(static_cast<outcome>(o))) return false;
  return true;
}

// What holds of any memory model, and of the rows' own sense.
void check_rows(checker& c, std::vector<row> const& rows) {
  for (row const& r : rows) {
    std::string const name = r.name();
    c.check(find(rows, name) == &r, name + ": two rows have this name");
    c.check(r.entries <= max_entries && r.roles <= max_threads && r.locations <= max_locations, name + ": too large");
    bool any = false, beyond = false;
    for (unsigned o = 0; o < outcome_count; ++o) {
      if (!r.allowed.has(static_cast<outcome>(o))) continue;
      any = true;
      for (unsigned e = 0; e < max_entries; ++e)
        beyond |= entry_of(static_cast<outcome>(o), e) > (e < r.entries ? 2u : 0u);
    }
    c.check(any && !beyond, name + ": allows nothing, or a value that nobody stores");
    if (r.what.threads.empty()) continue;
    outcome_set const interleaved = interleaved_outcomes(r.what);
    c.check(includes(r.allowed, interleaved), name + ": the model forbids an interleaving");
    c.check(!interleaved.has(r.asked), name + ": the asked outcome needs no weak memory");
    if (r.variant != "relaxed")
      if (row const* const weaker = find(rows, r.test + "/relaxed/" + name_of(r.scope) + "/" + name_of(r.where));
          weaker != nullptr && r.variant.find("plain") == std::string::npos)
        c.check(includes(weaker->allowed, r.allowed), name + ": allows what the relaxed row forbids");
    if (!r.whole_blocks) c.check(plan_of(r).size() == r.roles, name + ": its plan lacks threads");
  }
}

void check_pairing(checker& c) {
  for (unsigned roles = 1; roles <= max_threads; ++roles)
    for (grouping group : {grouping::grid, grouping::block, grouping::block_pairs})
      for (unsigned size : {1u, 5u, 12u}) {
        pairing const p = make_pairing(roles, roles * size, roles * 32, group, 7 * size);
        std::string const name = std::to_string(roles) + " roles, " + std::to_string(roles * size) +
                                 " blocks, grouping " + std::to_string(static_cast<unsigned>(group));
        c.check(verify_pairing(p, 40), "no bijection: " + name);
        if (p.count < 4) continue;
        // A factor that shares a divisor with the number of instances leads two threads to one instance.
        pairing broken = p;
        for (auto& m : broken.multipliers) m = 2;
        c.check(!verify_pairing(broken, 40), "a broken pairing is not noticed: " + name);
      }
  for (unsigned locations = 1; locations <= max_locations; ++locations)
    for (unsigned group : {1u, 8u, 64u, 512u}) {
      layout const l{locations, group};
      c.check(verify_layout(l, 1000), "two locations share a line");
      if (locations > 1)
        c.check(l.word_of(3, 1) - l.word_of(3, 0) == group * layout::line_words,
                "the stride is not what was asked for");
    }
}

// The judge must not take an outcome for another.
void check_verdicts(checker& c, std::vector<row> const& rows) {
  for (row const& r : rows) {
    row_result result;
    c.check(judge(r, result) == verdict::broken, r.name() + ": no instance, and a verdict");
    for (unsigned o = 0; o < outcome_count; ++o)
      if (r.allowed.has(static_cast<outcome>(o)) && o != r.asked) result.histogram[o] = 1;
    result.instances = 1;
    c.check(judge(r, result) == (r.forbids() ? verdict::ok : verdict::inconclusive),
            r.name() + ": allowed outcomes alone");
    result.histogram[r.asked] = 1;
    c.check(judge(r, result) == (r.forbids() ? verdict::forbidden_seen : verdict::weak_seen),
            r.name() + ": the asked outcome");
    result.histogram[r.asked] = 0;
    result.histogram[3] = 1;  // a value out of nowhere
    c.check(judge(r, result) == verdict::forbidden_seen, r.name() + ": a value out of nowhere");
    result.mixed = 1;
    c.check(judge(r, result) == verdict::broken, r.name() + ": a mixed instance, and a verdict");
  }
}

}  // namespace

unsigned self_test(std::vector<row> const& rows) {
  checker c;
  check_model(c, rows);
  check_rows(c, rows);
  check_pairing(c);
  check_verdicts(c, rows);
  std::printf("self-test: %u rows, %u checks, %u failed\n", static_cast<unsigned>(rows.size()), c.checks(),
              c.failures());
  return c.failures();
}

}  // namespace litmus
