// Telling the checker that something is meant.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/check_ignore.hpp>
#include <fermata/finding_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// While the object lives, what the checker finds of this kind in operations of the calling lane is kept with the
// reason as suppressed, and does not count:
//
//   fm::check_ignore const racy(fm::finding_kind::data_race, "a statistic; any value will do");
//   ++hits;
//
// A race has two sides, and either may be the one that brings it up: put one into each.
// Pre    `reason` lives as long as the program (a literal); objects of one lane end in the reverse order of their
//        making, as local variables do.
// Emits  CUDA, HIP: nothing. host: a call, which does nothing without the checker.
class check_ignore {
 public:
  FERMATA_DEVICE check_ignore(finding_kind kind, char const* reason) noexcept {
    backend::ignore_findings(here_, kind, reason);
  }
  check_ignore(check_ignore const&) = delete;
  check_ignore& operator=(check_ignore const&) = delete;
  FERMATA_DEVICE ~check_ignore() { backend::heed_findings(here_); }

 private:
  backend::ignored_findings here_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
