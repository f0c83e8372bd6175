#include "rows.hpp"

#include <stdexcept>

#include "accesses.hpp"
#include "model.hpp"

namespace litmus {
namespace {

enum class variant { relaxed, rel_acq, seq_cst, fence_acq_rel, fence_sc };
constexpr variant variants[] = {variant::relaxed, variant::rel_acq, variant::seq_cst, variant::fence_acq_rel,
                                variant::fence_sc};

char const* name_of(variant v) {
  switch (v) {
    case variant::relaxed:
      return "relaxed";
    case variant::rel_acq:
      return "rel_acq";
    case variant::seq_cst:
      return "seq_cst";
    case variant::fence_acq_rel:
      return "fence.acq_rel";
    case variant::fence_sc:
      break;
  }
  return "fence.sc";
}

constexpr access R = access::load, W = access::store, none = access::none;

strength relaxed_but(access what, access wanted, strength order) { return what == wanted ? order : strength::relaxed; }

// The weakest form of the variant for two accesses of these kinds: a release that covers what is before it, an acquire
// that holds back what is behind it, or the one fence between them that does the same.
snippet snippet_of(access first, access second, variant v) {
  snippet s{first, strength::relaxed, between::nothing, second, strength::relaxed};
  switch (v) {
    case variant::relaxed:
      break;
    case variant::rel_acq:
      if (second == none)
        s.first_order = strength::release;
      else if (first == second) {
        s.first_order = relaxed_but(first, R, strength::acquire);
        s.second_order = relaxed_but(second, W, strength::release);
      } else {
        s.first_order = first == R ? strength::acquire : strength::release;
        s.second_order = second == R ? strength::acquire : strength::release;
      }
      break;
    case variant::seq_cst:
      s.first_order = strength::seq_cst;
      if (second != none) s.second_order = strength::seq_cst;
      break;
    case variant::fence_acq_rel:
      if (second != none)
        s.middle = first != second ? between::acq_rel : first == W ? between::release : between::acquire;
      break;
    case variant::fence_sc:
      if (second != none) s.middle = between::seq_cst;
      break;
  }
  return s;
}

// Shapes, written as kinds and operands. A store's number is its value, a load's the entry of the outcome it fills.
struct step {
  access what;
  unsigned char location, number;
};
struct shape {
  char const* name;
  unsigned locations;
  bool has_finals;
  std::vector<unsigned> asked;  // entry by entry
  std::vector<std::vector<step>> threads;
};

constexpr unsigned char x = 0, y = 1, z = 2;

std::vector<shape> shapes() {
  return {
      // The message arrives before what it speaks of.
      {"MP", 2, false, {1, 0}, {{{W, x, 1}, {W, y, 1}}, {{R, y, 0}, {R, x, 1}}}},
      // Both miss the other's store.
      {"SB", 2, false, {0, 0}, {{{W, x, 1}, {R, y, 0}}, {{W, y, 1}, {R, x, 1}}}},
      // Both see what the other stores later.
      {"LB", 2, false, {1, 1}, {{{R, x, 0}, {W, y, 1}}, {{R, y, 1}, {W, x, 1}}}},
      // A location goes back in time for one reader.
      {"CoRR", 1, false, {1, 0}, {{{W, x, 1}}, {{R, x, 0}, {R, x, 1}}}},
      // A thread's own stores to one location change places.
      {"CoWW", 1, true, {1}, {{{W, x, 1}, {W, x, 2}}}},
      // Of two stores by each of two threads the first ones last.
      {"2+2W", 2, true, {1, 1}, {{{W, x, 1}, {W, y, 2}}, {{W, y, 1}, {W, x, 2}}}},
      // MP through a third thread that forwards the message.
      {"ISA2", 3, false, {1, 1, 0}, {{{W, x, 1}, {W, y, 1}}, {{R, y, 0}, {W, z, 1}}, {{R, z, 1}, {R, x, 2}}}},
      // A thread passes on what it saw, not what it stored.
      {"WRC", 2, false, {1, 1, 0}, {{{W, x, 1}}, {{R, x, 0}, {W, y, 1}}, {{R, y, 1}, {R, x, 2}}}},
      // Two readers see two stores in opposite orders.
      {"IRIW", 2, false, {1, 0, 1, 0}, {{{W, x, 1}}, {{W, y, 1}}, {{R, x, 0}, {R, y, 1}}, {{R, y, 2}, {R, x, 3}}}},
  };
}

outcome packed(std::vector<unsigned> const& entries) {
  outcome o = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) o |= static_cast<outcome>(entries[i] << (2 * i));
  return o;
}

operand operand_of(step const& s) {
  return s.what == W ? operand{s.location, s.number, 0} : operand{s.location, 0, s.number};
}

program program_of(shape const& s, std::vector<snippet> const& code) {
  program p;
  p.locations = s.locations;
  p.has_finals = s.has_finals;
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    auto const& steps = s.threads[t];
    thread_program thread{code[t], operand_of(steps.front()), operand_of(steps.back()), static_cast<unsigned>(t)};
    for (step const& one : steps) p.loads += one.what == R;
    p.threads.push_back(thread);
  }
  return p;
}

row row_of(std::string test, std::string variant, program p, std::vector<unsigned> const& asked, reach scope,
           placement where) {
  if (where == placement::waves)
    for (auto& thread : p.threads) thread.block = 0;
  row r{.test = std::move(test),
        .variant = std::move(variant),
        .scope = scope,
        .where = where,
        .what = p,
        .roles = static_cast<unsigned>(p.threads.size()),
        .locations = p.locations,
        .loads = p.loads,
        .entries = p.entries(),
        .asked = packed(asked),
        .allowed = allowed_outcomes(p, scope),
        .authority = "model",
        .kernel = accesses_at(scope)};
  return r;
}

struct position {
  reach scope;
  placement where;
};
// The last one has too narrow a scope: nothing is forbidden there, and nothing promised.
constexpr position positions[] = {{reach::device, placement::blocks},
                                  {reach::system, placement::blocks},
                                  {reach::device, placement::waves},
                                  {reach::block, placement::waves},
                                  {reach::block, placement::blocks}};

std::vector<snippet> code_of(shape const& s, variant v) {
  std::vector<snippet> code;
  for (auto const& steps : s.threads)
    code.push_back(snippet_of(steps.front().what, steps.size() == 1 ? none : steps.back().what, v));
  return code;
}

// Half of the orders, or plain data.
struct special {
  char const* shape;
  char const* variant;
  std::vector<snippet> code;
};

std::vector<special> specials() {
  constexpr auto rlx = strength::relaxed, acq = strength::acquire, rel = strength::release, plain = strength::plain;
  constexpr auto then = between::nothing;
  snippet const ww{W, rlx, then, W, rlx}, ww_rel{W, rlx, then, W, rel}, rr{R, rlx, then, R, rlx},
      rr_acq{R, acq, then, R, rlx}, rw{R, rlx, then, W, rlx}, w{W, rlx, then, none, rlx};
  return {
      {"MP", "release_only", {ww_rel, rr}},
      {"MP", "acquire_only", {ww, rr_acq}},
      {"MP", "plain.relaxed", {{W, plain, then, W, rlx}, {R, rlx, then, R, plain}}},
      {"MP", "plain.rel_acq", {{W, plain, then, W, rel}, {R, acq, then, R, plain}}},
      {"CoRR", "plain", {w, {R, plain, then, R, plain}}},
      {"ISA2", "middle_relaxed", {ww_rel, rw, rr_acq}},
      {"WRC", "middle_relaxed", {w, rw, rr_acq}},
  };
}

void add_everywhere(std::vector<row>& rows, shape const& s, std::string const& variant,
                    std::vector<snippet> const& code) {
  for (position const& at : positions) {
    if (s.threads.size() == 1 && at.where == placement::waves) continue;  // one thread is in one place
    rows.push_back(row_of(s.name, variant, program_of(s, code), s.asked, at.scope, at.where));
  }
}

}  // namespace

char const* name_of(reach s) { return s == reach::block ? "block" : s == reach::device ? "device" : "system"; }
char const* name_of(placement p) { return p == placement::blocks ? "blocks" : "waves"; }

std::string row::name() const {
  return test + "/" + variant + "/" + litmus::name_of(scope) + "/" + litmus::name_of(where);
}

std::string text_of(outcome o, unsigned entries) {
  std::string text;
  for (unsigned e = 0; e < entries; ++e) {
    unsigned const value = entry_of(o, e);
    text += (e == 0 ? "" : ",") + (value == 3 ? std::string("?") : std::to_string(value));
  }
  return text;
}

std::vector<row> make_rows() {
  std::vector<row> rows;
  auto const extra = specials();
  for (shape const& s : shapes()) {
    for (variant v : variants) add_everywhere(rows, s, name_of(v), code_of(s, v));
    for (special const& e : extra)
      if (std::string(e.shape) == s.name) add_everywhere(rows, s, e.variant, e.code);
  }
  for (row& r : make_contract_rows()) rows.push_back(std::move(r));
  return rows;
}

bool can_pause(row const& r) { return r.scope == reach::device && !r.what.threads.empty() && !r.whole_blocks; }

row paused(row r) {
  r.kernel = paused_accesses();
  return r;
}

std::vector<thread_plan> plan_of(row const& r) {
  std::vector<thread_plan> plans;
  for (thread_program const& t : r.what.threads) {
    std::uint32_t found = snippet_count;
    for (std::uint32_t i = 0; i < snippet_count; ++i)
      if (snippets[i] == t.code) found = i;
    if (found == snippet_count) throw std::logic_error(r.name() + ": program.hpp lacks a snippet");
    plans.push_back({found, t.first, t.second});
  }
  return plans;
}

}  // namespace litmus
