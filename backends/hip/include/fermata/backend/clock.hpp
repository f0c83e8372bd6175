// Clocks on AMD.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// s_memrealtime on gfx9, s_sendmsg_rtn_b64(MSG_RTN_GET_REALTIME) on gfx11.
FERMATA_DEVICE inline std::uint64_t wall_clock() noexcept { return __builtin_readsteadycounter(); }

// s_memtime on gfx9; on gfx11 the 20-bit SHADER_CYCLES register.
FERMATA_DEVICE inline std::uint64_t cycle_clock() noexcept { return __builtin_readcyclecounter(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
