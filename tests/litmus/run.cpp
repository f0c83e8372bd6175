#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <tuple>

namespace litmus {
namespace {

struct shape_of_launch {
  unsigned blocks, threads, strangers, cluster;
  grouping group;
};

unsigned rounded_down(unsigned n, unsigned multiple) { return n / multiple * multiple; }

// As large as the device can hold, in whole instances.
shape_of_launch fit(fm::device const& d, row const& r, options const& o) {
  unsigned const wave = d.wave_size();
  bool const in_block = r.where == placement::waves;
  unsigned threads = std::min(o.threads, d.info().max_threads_per_block);
  if (in_block) {
    // Whole waves for each role.
    threads = std::max(rounded_down(threads, wave * r.roles), wave * r.roles);
    if (threads > d.info().max_threads_per_block)
      throw fm::error(fm::errc::unsupported, "litmus: " + r.name() + " needs blocks of " + std::to_string(threads) +
                                                 " threads, more than " + d.name() + " takes");
  }
  unsigned const cluster = std::min(r.cluster, d.info().max_blocks_per_cluster);
  auto const possible = static_cast<unsigned>(r.kernel.resident(d, threads, cluster));
  unsigned const strangers = r.no_strangers ? 0 : o.stress;
  unsigned const unit = cluster * (in_block ? 1 : r.roles);
  unsigned blocks = o.blocks != 0 ? o.blocks : 2 * std::max(d.info().multiprocessors, unit);
  blocks = rounded_down(std::min(blocks, possible > strangers ? possible - strangers : 0), unit);
  if (blocks == 0)
    throw fm::error(fm::errc::too_many_blocks, "litmus: " + r.name() + " needs " + std::to_string(unit) +
                                                   " blocks of " + std::to_string(threads) + " threads and " +
                                                   std::to_string(strangers) + " for traffic at once, and " + d.name() +
                                                   " holds " + std::to_string(possible) +
                                                   "; ask for fewer --threads, or less --stress, or more --blocks");
  return {blocks, threads, strangers, cluster,
          in_block         ? grouping::block
          : r.whole_blocks ? grouping::block_pairs
                           : grouping::grid};
}

// What has been verified need not be again: rows share pairings and layouts.
template <class Key, class Check>
void verify_once(Key const& key, char const* what, Check check) {
  static std::map<Key, bool> known;
  auto const [at, is_new] = known.try_emplace(key, true);
  if (is_new && !(at->second = check())) throw std::logic_error(std::string("litmus: ") + what);
}

void verify(pairing const& p, layout const& l) {
  verify_once(std::tuple(p.roles, p.blocks, p.threads, p.group, p.seed), "the pairing is no bijection",
              [&] { return verify_pairing(p, 2 * pairing::multiplier_count); });
  verify_once(std::tuple(l.locations, l.group, p.instances(), 0u), "two locations share a line",
              [&] { return verify_layout(l, p.instances()); });
}

// The last thread makes its accesses in the wrong order.
void break_order(launch_plan& p) {
  thread_plan& last = p.threads[p.who.roles - 1];
  std::swap(last.first, last.second);
}

// The words of a row on the device: as much as its widest stride wants.
struct memory {
  fm::buffer<std::uint32_t> words, seen, idle, scratch;
  fm::buffer<meeting_place> place;
  fm::buffer<findings> found;
};

constexpr std::uint32_t scratch_lines = 1u << 14;
// Rounds have 24 bits, and a launch ends within a few seconds on a GPU.
constexpr std::uint64_t most_rounds = 100'000;

void add(row_result& total, findings const& f, unsigned stride) {
  for (unsigned i = 0; i < outcome_count; ++i) {
    total.histogram[i] += f.histogram[i];
    total.instances += f.histogram[i];
  }
  total.mixed += f.mixed;
  total.forbidden += f.forbidden;
  for (unsigned i = 0; i < std::min(f.forbidden, max_witnesses); ++i)
    if (total.witnesses.size() < max_witnesses) total.witnesses.push_back({stride, f.witnesses[i]});
}

}  // namespace

char const* name_of(verdict v) {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::weak_seen:
      return "weak seen";
    case verdict::inconclusive:
      return "inconclusive";
    case verdict::forbidden_seen:
      return "FORBIDDEN SEEN";
    case verdict::broken:
      break;
  }
  return "BROKEN PAIRING";
}

verdict judge(row const& r, row_result const& counted) {
  if (counted.mixed != 0 || counted.instances == 0) return verdict::broken;
  for (unsigned o = 0; o < outcome_count; ++o)
    if (counted.histogram[o] != 0 && !r.allowed.has(static_cast<outcome>(o))) return verdict::forbidden_seen;
  if (r.forbids()) return verdict::ok;
  return counted.histogram[r.asked] != 0 ? verdict::weak_seen : verdict::inconclusive;
}

bool takes_fault(row const& r) {
  if (r.what.threads.empty() || r.whole_blocks || !r.forbids()) return false;
  snippet const& last = r.what.threads.back().code;
  return last.first == last.second;
}

row_result run_row(fm::stream const& s, row const& r, options const& o) {
  fm::device const& d = s.device();
  shape_of_launch const shape = fit(d, r, o);
  auto const begin = std::chrono::steady_clock::now();

  launch_plan p{};
  p.who = make_pairing(r.roles, shape.blocks, shape.threads, shape.group, o.seed);
  if (!r.what.threads.empty() && !r.whole_blocks) std::ranges::copy(plan_of(r), p.threads);
  if (o.fault && takes_fault(r)) break_order(p);
  p.loads = r.loads;
  p.entries = r.entries;
  p.max_delay = o.delay;
  p.warm = o.warm;
  p.ordered = r.ordered;
  for (unsigned i = 0; i < outcome_count; ++i)
    if (!r.allowed.has(static_cast<outcome>(i))) p.forbidden[i / 32] |= 1u << (i % 32);
  p.scratch_lines = scratch_lines;

  std::uint32_t const instances = p.who.instances();
  std::uint64_t most_words = 0;
  for (unsigned stride : o.strides)
    most_words = std::max(most_words, layout{r.locations, stride / 128}.words(instances));
  std::size_t const all_threads = std::size_t{shape.blocks + shape.strangers} * shape.threads;
  memory m{fm::buffer<std::uint32_t>(d, most_words),
           fm::buffer<std::uint32_t>(d, std::size_t{instances} * r.roles),
           fm::buffer<std::uint32_t>(d, all_threads),
           fm::buffer<std::uint32_t>(d, shape.strangers == 0 ? 0 : std::size_t{scratch_lines} * layout::line_words),
           fm::buffer<meeting_place>(d, 1),
           fm::buffer<findings>(d, 1)};
  p.words = m.words.data();
  p.seen = m.seen.data();
  p.idle = m.idle.data();
  p.scratch = m.scratch.data();
  p.place = m.place.data();
  p.found = m.found.data();

  row_result total;
  std::uint64_t const a_stride = (o.instances + o.strides.size() - 1) / o.strides.size();
  for (unsigned stride : o.strides) {
    p.where = {r.locations, stride / 128};
    verify(p.who, p.where);
    for (std::uint64_t left = (a_stride + instances - 1) / instances; left != 0; left -= p.rounds) {
      p.rounds = static_cast<std::uint32_t>(std::min(left, most_rounds));
      m.words.fill_bytes(s, 0);
      m.seen.fill_bytes(s, 0);
      m.place.fill_bytes(s, 0);
      m.found.fill_bytes(s, 0);
      r.kernel.run(s, {shape.blocks + shape.strangers, shape.threads, 0, shape.cluster}, p);
      findings f;
      m.found.download(s, std::span<findings>(&f, 1));
      add(total, f, stride);
    }
  }
  total.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  total.judged = judge(r, total);
  return total;
}

}  // namespace litmus
