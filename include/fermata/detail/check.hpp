// Checks of preconditions, in a build with FERMATA_ENABLE_ASSERTIONS. Without it they are nothing: no instruction, no
// branch. A build with it has an inline namespace of its own, so that the two are not mixed in one program.
//
// On a GPU the first failure writes a report into memory of the CPU, which outlives the trap that follows, and the next
// call that meets the failed kernel (synchronize, say) throws it: a trap alone takes everything with it that was in
// device memory, printf's output included. The host backend checks lanes and barriers in every build.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/operation.hpp>

// The checks need headers that the rest of a program may not; without them they cost no compile time, either.
#if defined(FERMATA_ENABLE_ASSERTIONS)
#include <fermata/backend/block.hpp>
#include <fermata/backend/check.hpp>
#include <fermata/detail/check_report.hpp>
#endif

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

#if defined(FERMATA_ENABLE_ASSERTIONS)

// Whether lanes and barriers have to be checked here.
inline constexpr bool checks_lanes = !backend::executor_checks_lanes;

// The lanes that are here must be `members`, all at the same operation.
FERMATA_DEVICE inline void check_lanes(backend::lane_word members, operation op, failure kind) noexcept {
  backend::lane_word const self = backend::lane_word{1} << backend::lane_id();
  if ((members & self) == 0) backend::fail_check(failure::wrong_members, op, members, self);
  backend::lane_word const here = backend::converged_lanes(members);
  if (here != members) backend::fail_check(kind, op, members, here);
  if (!backend::agree_on(members, static_cast<std::uint32_t>(op)))
    backend::fail_check(failure::mixed_operations, op, members, here);
}

// Pre of a collective of the wave: every lane that exists calls it.
FERMATA_DEVICE inline void check_wave(operation op) noexcept {
  if constexpr (checks_lanes) {
    unsigned const live = backend::live_lanes();
    backend::lane_word const all =
        static_cast<backend::lane_word>(~backend::lane_word{0}) >> (backend::wave_size() - live);
    check_lanes(all, op, failure::divergent_wave);
  }
}

// Pre of a collective of named lanes: exactly they call it.
FERMATA_DEVICE inline void check_members(backend::lane_word members, operation op) noexcept {
  if constexpr (checks_lanes) check_lanes(members, op, failure::wrong_members);
}

// Pre of a barrier of the block: every thread calls it. A barrier of its own counts them.
FERMATA_DEVICE inline void check_block(operation op) noexcept {
  if constexpr (checks_lanes) {
    unsigned const here = backend::block_sync_count(true), all = backend::block_dim().count();
    if (here != all) backend::fail_check(failure::incomplete_block, op, all, here);
  }
}

FERMATA_DEVICE inline void check_aligned(void const* address, unsigned alignment) noexcept {
  auto const value = reinterpret_cast<std::uintptr_t>(address);
  if (value % alignment != 0) backend::fail_check(failure::misaligned, operation::atomic_ref, alignment, value);
}

#else

FERMATA_DEVICE inline void check_wave(operation) noexcept {}
FERMATA_DEVICE inline void check_members(backend::lane_word, operation) noexcept {}
FERMATA_DEVICE inline void check_block(operation) noexcept {}
FERMATA_DEVICE inline void check_aligned(void const*, unsigned) noexcept {}

#endif

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
