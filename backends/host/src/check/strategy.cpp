#include "strategy.hpp"

#include <vector>

#include "../random.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

struct decision {
  unsigned taken, of;
};

struct decisions {
  settings how{};
  std::uint64_t random = 0;
  bool only_newest = false;
  std::vector<decision> order;  // exhaustive
  std::size_t at = 0;           // in `order`
};

decisions& all() noexcept {
  // Never destroyed: lanes may still run while the program ends.
  static auto& the_one = *new decisions;
  return the_one;
}

// Follows the list; beyond its end, takes the first choice and adds it.
unsigned choose_in_order(decisions& d, unsigned n) noexcept {
  if (d.at == d.order.size()) d.order.push_back({0, n});
  decision& here = d.order[d.at++];
  // A kernel that depends on more than the decisions (the time, an address) may ask for something else than before.
  here.of = n;
  if (here.taken >= n) here.taken = n - 1;
  return here.taken;
}

}  // namespace

unsigned choose(unsigned n) noexcept {
  if (n == 1) return 0;
  decisions& d = all();
  if (d.how.schedule == turns::exhaustive) return choose_in_order(d, n);
  return static_cast<unsigned>((next_random(d.random) >> 32) * n >> 32);
}

bool weak_values() noexcept { return all().how.weak_values && !all().only_newest; }

unsigned xcds() noexcept { return all().how.xcds; }

bool advice() noexcept { return all().how.advice; }

void begin_decisions(settings const& how) noexcept {
  decisions& d = all();
  d.how = how;
  d.random = how.seed;
  d.only_newest = false;
  d.at = 0;
}

settings const& decided_by() noexcept { return all().how; }

void only_newest_values(bool on) noexcept { all().only_newest = on; }

void first_order() noexcept { all().order.clear(); }

bool next_order() noexcept {
  decisions& d = all();
  // What was decided beyond the end of the last run belongs to a run that went elsewhere.
  if (d.at < d.order.size()) d.order.resize(d.at);
  while (!d.order.empty() && d.order.back().taken + 1 >= d.order.back().of) d.order.pop_back();
  if (d.order.empty()) return false;
  ++d.order.back().taken;
  return true;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
