// Every decision of a checked run goes through here, so that the seed (or, exhaustively, the list of decisions)
// repeats it.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>

#include "../settings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// One of 0 … n - 1. Pre: n > 0.
unsigned choose(unsigned n) noexcept;
// Whether atomic loads may return older values. Not while nobody gets on: older values do not last for ever.
bool weak_values() noexcept;
// The number of XCDs whose L2 caches are apart; 1: one for all.
unsigned xcds() noexcept;
// Whether findings of the kind wider_than_needed are wanted.
bool advice() noexcept;

// A launch starts while no other runs: from here on all decisions follow from its settings.
void begin_decisions(settings const& how) noexcept;
settings const& decided_by() noexcept;
// Nobody gets on: every load returns the newest value, until somebody does.
void only_newest_values(bool on) noexcept;

// The orders of an exhaustive search, each a list of decisions: depth first, the first one is all zeros. The next list
// becomes the one that the next launch follows; false if there is none.
void first_order() noexcept;
bool next_order() noexcept;

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
