// AMD: what the checks of an assertions build ask the hardware.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The lanes of `members` that are here: those that run, exactly, because the lanes of a wave run together.
FERMATA_DEVICE inline lane_word converged_lanes(lane_word members) noexcept { return wave_ballot(true) & members; }

// Lanes that run together are at the same instruction, so at the same operation.
FERMATA_DEVICE inline bool agree_on(lane_word, std::uint32_t) noexcept { return true; }

// Not tried on a device. An exception of a wave has ended the whole process on ROCm (legacy-rocm-build issue 5241), and
// then nobody reads the report.
FERMATA_DEVICE inline void trap() noexcept { __builtin_trap(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#include <fermata/detail/gpu/check.hpp>
