// What the checker has found, from the engine's point of view: return addresses, not lines. Turned into text when the
// run is over.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>
#include <fermata/finding_kind.hpp>
#include <string>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
struct finding;
struct check_result;
namespace backend::host {

struct lane;
struct settings;

namespace check {

// One side of a finding. `frames` are return addresses, innermost first; the place is the first one outside fermata.
struct raw_place {
  unsigned block, wave, lane;
  std::vector<void const*> frames;
  std::string access;  // "plain write of 4 bytes"
};

// Keeps the finding, unless one of the same kind at the same addresses is known. What the lane ignores (the current
// one, if none is named) is kept as suppressed.
void report(finding_kind kind, std::string message, std::vector<raw_place> places, std::string object,
            std::string advice, lane const* by = nullptr);

// Between the two calls findings are collected for the caller; otherwise they are told to the user.
void begin_collecting();
std::vector<finding> end_collecting();
// A launch has ended: what it has found is told, unless it is collected.
void tell_findings(settings const& how);

// Throws errc::invalid_argument if FERMATA_CHECK_OUTPUT names no file that can be written in a format that is known.
void require_output();

// FERMATA_HOST_SEED=… and all else that repeats a run.
std::string replay_of(settings const& how);

// The texts of a result; in rendering.cpp.
std::string to_text(std::vector<finding> const& findings, std::string const& replay);

}  // namespace check
}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
