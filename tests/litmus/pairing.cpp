#include "pairing.hpp"

#include <numeric>
#include <vector>

namespace litmus {

pairing make_pairing(unsigned roles, unsigned blocks, unsigned threads, grouping group, std::uint32_t seed) {
  unsigned const count = group == grouping::grid    ? blocks / roles * threads
                         : group == grouping::block ? threads / roles
                                                    : threads;
  pairing p{roles, threads, blocks, count, group, seed, {}};
  for (unsigned i = 0; i < pairing::multiplier_count; ++i) {
    // Small ones keep neighbours near each other, large ones scatter them.
    std::uint32_t m = i == 0 ? 1 : i < 4 ? 2 * i + 1 : mix(seed + i) % p.count;
    while (std::gcd(m, p.count) != 1) ++m;
    p.multipliers[i] = m;
  }
  return p;
}

bool verify_pairing(pairing const& p, unsigned rounds) {
  std::vector<unsigned> seen(std::size_t{p.instances()} * p.roles, 0);
  for (unsigned round = 1; round <= rounds; ++round)
    for (unsigned block = 0; block < p.blocks; ++block)
      for (unsigned thread = 0; thread < p.threads; ++thread) {
        part const mine = part_of(p, block, thread, round);
        if (mine.role >= p.roles || mine.instance >= p.instances()) return false;
        unsigned& last = seen[std::size_t{mine.instance} * p.roles + mine.role];
        if (last == round) return false;
        last = round;
      }
  // Nobody twice in any round, and as many threads as parts: so everybody once.
  return std::size_t{p.blocks} * p.threads == seen.size();
}

bool verify_layout(layout const& l, std::uint32_t instances) {
  std::vector<bool> taken(l.words(instances) / layout::line_words, false);
  for (std::uint32_t i = 0; i < instances; ++i)
    for (std::uint32_t k = 0; k < l.locations; ++k) {
      std::uint64_t const line = l.word_of(i, k) / layout::line_words;
      if (line >= taken.size() || taken[line]) return false;
      taken[line] = true;
    }
  return true;
}

}  // namespace litmus
