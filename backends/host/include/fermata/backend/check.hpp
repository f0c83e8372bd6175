// The host backend checks lanes and barriers in every build: the executor sees all of them.
#pragma once

#include <cstdint>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/check_report.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

inline constexpr bool executor_checks_lanes = true;

namespace host {
// Ends the launch with the report; does not return in a kernel.
void fail_check(detail::failure what, detail::operation where, std::uint64_t expected, std::uint64_t actual) noexcept;
}  // namespace host

inline lane_word converged_lanes(lane_word members) noexcept { return members; }
inline bool agree_on(lane_word, std::uint32_t) noexcept { return true; }
inline void fail_check(detail::failure what, detail::operation where, std::uint64_t expected,
                       std::uint64_t actual) noexcept {
  host::fail_check(what, where, expected, actual);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
