// Enumerates executions and keeps those that satisfy the axioms. Names follow the PTX ISA.
#include "model.hpp"

#include <algorithm>
#include <numeric>

namespace litmus {
namespace {

constexpr unsigned max_events = 24;

// A binary relation over the events of an execution.
class relation {
 public:
  void add(unsigned a, unsigned b) { rows_[a] |= 1u << b; }
  bool has(unsigned a, unsigned b) const { return (rows_[a] >> b & 1u) != 0; }

  relation operator|(relation const& other) const {
    relation r = *this;
    for (unsigned i = 0; i < max_events; ++i) r.rows_[i] |= other.rows_[i];
    return r;
  }
  relation operator&(relation const& other) const {
    relation r = *this;
    for (unsigned i = 0; i < max_events; ++i) r.rows_[i] &= other.rows_[i];
    return r;
  }
  // Composition: a to c where a is related here to some b, and b there to c.
  relation then(relation const& other) const {
    relation r;
    for (unsigned i = 0; i < max_events; ++i)
      for (unsigned j = 0; j < max_events; ++j)
        if (has(i, j)) r.rows_[i] |= other.rows_[j];
    return r;
  }
  relation inverse() const {
    relation r;
    for (unsigned i = 0; i < max_events; ++i)
      for (unsigned j = 0; j < max_events; ++j)
        if (has(i, j)) r.add(j, i);
    return r;
  }
  relation closure() const {
    relation r = *this;
    for (unsigned k = 0; k < max_events; ++k)
      for (unsigned i = 0; i < max_events; ++i)
        if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
    return r;
  }
  relation reflexive() const {
    relation r = *this;
    for (unsigned i = 0; i < max_events; ++i) r.add(i, i);
    return r;
  }
  bool irreflexive() const {
    for (unsigned i = 0; i < max_events; ++i)
      if (has(i, i)) return false;
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }

 private:
  std::array<std::uint32_t, max_events> rows_{};
};

enum class kind { read, write, fence, barrier };

struct event {
  kind what;
  int thread;  // -1: the initial value of a location
  unsigned block = 0;
  unsigned location = 0;
  unsigned value = 0;
  unsigned entry = 0;
  bool strong = false;
  bool acquires = false, releases = false;  // of reads and writes; every fence does both
  bool sc = false;
};

class execution_search {
 public:
  execution_search(program const& p, reach scope) : program_(p), scope_(scope) {
    make_events();
    relate_events();
    for (unsigned e = 0; e < events_.size(); ++e) {
      if (events_[e].what == kind::read) reads_.push_back(e);
      if (events_[e].sc) sc_fences_.push_back(e);
    }
    for (unsigned a = 0; a < events_.size(); ++a)
      for (unsigned b = a + 1; b < events_.size(); ++b)
        if (is_write(a) && is_write(b) && same_location(a, b) && events_[a].thread >= 0) racing_.push_back({a, b});
  }

  outcome_set run() {
    choose_source(0);
    return found_;
  }

 private:
  bool is_write(unsigned e) const { return events_[e].what == kind::write; }
  bool is_memory(unsigned e) const { return events_[e].what == kind::write || events_[e].what == kind::read; }
  bool same_location(unsigned a, unsigned b) const {
    return is_memory(a) && is_memory(b) && events_[a].location == events_[b].location;
  }

  void make_events() {
    for (unsigned l = 0; l < program_.locations; ++l)
      events_.push_back({.what = kind::write, .thread = -1, .location = l});
    for (unsigned t = 0; t < program_.threads.size(); ++t) {
      thread_program const& thread = program_.threads[t];
      add_access(t, thread.code.first, thread.code.first_order, thread.first);
      add_middle(t, thread.code.middle);
      add_access(t, thread.code.second, thread.code.second_order, thread.second);
    }
  }

  void add_access(unsigned t, access a, strength order, operand const& where) {
    if (a == access::none) return;
    if (order == strength::seq_cst) add_middle(t, between::seq_cst);
    bool const load = a == access::load;
    events_.push_back({.what = load ? kind::read : kind::write,
                       .thread = static_cast<int>(t),
                       .block = program_.threads[t].block,
                       .location = where.location,
                       .value = where.value,
                       .entry = where.entry,
                       .strong = order != strength::plain,
                       .acquires = load && (order == strength::acquire || order == strength::seq_cst),
                       .releases = !load && order == strength::release});
  }

  void add_middle(unsigned t, between middle) {
    if (middle == between::nothing) return;
    bool const barrier = middle == between::block_barrier;
    events_.push_back({.what = barrier ? kind::barrier : kind::fence,
                       .thread = static_cast<int>(t),
                       .block = program_.threads[t].block,
                       .strong = !barrier,
                       .sc = middle == between::seq_cst});
  }

  // What does not depend on the execution.
  void relate_events() {
    auto const n = static_cast<unsigned>(events_.size());
    for (unsigned a = 0; a < n; ++a)
      for (unsigned b = 0; b < n; ++b) {
        event const &x = events_[a], &y = events_[b];
        bool const po = x.thread >= 0 && x.thread == y.thread && a < b;
        if (po) po_.add(a, b);
        if (po && same_location(a, b)) po_loc_.add(a, b);
        if (a != b && same_location(a, b)) loc_.add(a, b);
        if (a == b || x.thread < 0 || y.thread < 0) continue;
        bool const included = scope_ != reach::block || x.block == y.block;
        bool const related = x.thread == y.thread || (x.strong && y.strong && included);
        if (related && (!is_memory(a) || !is_memory(b) || same_location(a, b))) morally_strong_.add(a, b);
        if (x.what == kind::barrier && y.what == kind::barrier && x.block == y.block) barriers_.add(a, b);
      }
    for (unsigned a = 0; a < n; ++a)
      for (unsigned b = 0; b < n; ++b) {
        event const &x = events_[a], &y = events_[b];
        bool const same = a == b || po_loc_.has(a, b);
        if (x.what == kind::write && x.releases && same && y.what == kind::write && y.strong)
          release_pattern_.add(a, b);
        if (x.what == kind::fence && po_.has(a, b) && y.what == kind::write && y.strong) release_pattern_.add(a, b);
        if (x.what == kind::read && x.strong && same && y.what == kind::read && y.acquires) acquire_pattern_.add(a, b);
        if (x.what == kind::read && x.strong && po_.has(a, b) && y.what == kind::fence) acquire_pattern_.add(a, b);
      }
  }

  void choose_source(std::size_t i) {
    if (i == reads_.size()) {
      choose_coherence(0, {});
      return;
    }
    for (unsigned w = 0; w < events_.size(); ++w) {
      if (!is_write(w) || !same_location(w, reads_[i])) continue;
      sources_.push_back(w);
      choose_source(i + 1);
      sources_.pop_back();
    }
  }

  // Two writes to one location come one before the other; not so if they race and no scope holds them together.
  void choose_coherence(std::size_t i, relation const& co) {
    if (i == racing_.size()) {
      relation ordered = co;
      for (unsigned a = 0; a < events_.size(); ++a)
        for (unsigned b = 0; b < events_.size(); ++b)
          if (is_write(a) && is_write(b) && same_location(a, b) && events_[a].thread < 0 && events_[b].thread >= 0)
            ordered.add(a, b);
      ordered = ordered.closure();
      if (ordered.irreflexive()) try_fence_orders(ordered);
      return;
    }
    auto const [a, b] = racing_[i];
    relation forwards = co, backwards = co;
    forwards.add(a, b);
    backwards.add(b, a);
    choose_coherence(i + 1, forwards);
    choose_coherence(i + 1, backwards);
    if (!morally_strong_.has(a, b)) choose_coherence(i + 1, co);
  }

  void try_fence_orders(relation const& co) {
    relation rf;
    for (std::size_t i = 0; i < reads_.size(); ++i) rf.add(sources_[i], reads_[i]);
    std::vector<unsigned> order = sc_fences_;
    do {
      relation sc;
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j)
          if (morally_strong_.has(order[i], order[j])) sc.add(order[i], order[j]);
      if (consistent(rf, co, sc)) {
        record(co);
        return;  // another order of the fences has the same outcome
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }

  bool consistent(relation const& rf, relation const& co, relation const& sc) const {
    relation fr = rf.inverse().then(co);
    relation const observation = morally_strong_ & rf;
    relation const synchronizes = morally_strong_ & release_pattern_.then(observation).then(acquire_pattern_);
    relation const maybe_po = po_.reflexive();
    relation const step = maybe_po.then(synchronizes | sc | barriers_).then(maybe_po);
    relation const base = step.closure();
    relation const cause = base | observation.then(base);

    for (unsigned a = 0; a < events_.size(); ++a)
      for (unsigned b = 0; b < events_.size(); ++b)
        if (is_write(a) && is_write(b) && loc_.has(a, b) && cause.has(a, b) && !co.has(a, b))
          return false;                                                           // Coherence
    if (!sc.then(cause).irreflexive()) return false;                              // FenceSC; here Causality implies it
    if (!((morally_strong_ & (rf | co | fr)) | po_loc_).acyclic()) return false;  // SC-per-Location
    return (rf | fr).then(cause).irreflexive();                                   // Causality
  }

  void record(relation const& co) {
    outcome loads = 0;
    for (std::size_t i = 0; i < reads_.size(); ++i)
      loads |= static_cast<outcome>(events_[sources_[i]].value << (2 * events_[reads_[i]].entry));
    record_finals(co, 0, loads);
  }

  // The final value of a location is that of any write with none behind it.
  void record_finals(relation const& co, unsigned location, outcome so_far) {
    if (!program_.has_finals || location == program_.locations) {
      found_.add(so_far);
      return;
    }
    for (unsigned w = 0; w < events_.size(); ++w) {
      if (!is_write(w) || events_[w].location != location) continue;
      bool last = true;
      for (unsigned v = 0; v < events_.size(); ++v) last &= !co.has(w, v);
      if (last)
        record_finals(co, location + 1,
                      so_far | static_cast<outcome>(events_[w].value << (2 * (program_.loads + location))));
    }
  }

  program const& program_;
  reach scope_;
  std::vector<event> events_;
  std::vector<unsigned> reads_, sources_, sc_fences_;
  std::vector<std::pair<unsigned, unsigned>> racing_;
  relation po_, po_loc_, loc_, morally_strong_, barriers_, release_pattern_, acquire_pattern_;
  outcome_set found_;
};

class interleaver {
 public:
  explicit interleaver(program const& p) : program_(p), next_(p.threads.size(), 0) {}

  outcome_set run() {
    step(0);
    return found_;
  }

 private:
  static constexpr unsigned steps_of_a_thread = 3;

  // A thread stands at its block barrier until all of its block have come to theirs.
  bool barrier_open(unsigned block) const {
    for (std::size_t t = 0; t < next_.size(); ++t)
      if (program_.threads[t].block == block && program_.threads[t].code.middle == between::block_barrier &&
          next_[t] < 1)
        return false;
    return true;
  }

  void step(outcome seen) {
    bool over = true;
    for (std::size_t t = 0; t < next_.size(); ++t) {
      if (next_[t] == steps_of_a_thread) continue;
      over = false;
      thread_program const& thread = program_.threads[t];
      bool const first = next_[t] == 0;
      if (next_[t] == 1 && thread.code.middle == between::block_barrier && !barrier_open(thread.block)) continue;
      access const what = next_[t] == 1 ? access::none : first ? thread.code.first : thread.code.second;
      operand const& where = first ? thread.first : thread.second;
      unsigned const old = memory_[where.location];
      outcome now = seen;
      if (what == access::load) now |= static_cast<outcome>(old << (2 * where.entry));
      if (what == access::store) memory_[where.location] = where.value;
      ++next_[t];
      step(now);
      --next_[t];
      memory_[where.location] = old;
    }
    if (!over) return;
    if (program_.has_finals)
      for (unsigned l = 0; l < program_.locations; ++l)
        seen |= static_cast<outcome>(memory_[l] << (2 * (program_.loads + l)));
    found_.add(seen);
  }

  program const& program_;
  std::vector<unsigned> next_;
  std::array<unsigned, max_locations> memory_{};
  outcome_set found_;
};

}  // namespace

outcome_set allowed_outcomes(program const& p, reach scope) { return execution_search(p, scope).run(); }

outcome_set interleaved_outcomes(program const& p) { return interleaver(p).run(); }

}  // namespace litmus
