// Clocks in device code.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/clock.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Ticks of a clock that all blocks share and that never runs slower when the chip does. Its rate is
// device::wall_clock_rate() ticks per second.
// Emits  CUDA: %globaltimer. HIP: s_memrealtime / s_sendmsg_rtn (wall_clock64). host: std::chrono::steady_clock.
FERMATA_DEVICE inline std::uint64_t wall_clock() noexcept { return backend::wall_clock(); }

// Cycles of the caller's multiprocessor; differences are meaningful within one block. The clock frequency moves.
// Emits  CUDA: %clock64. HIP: s_memtime (on gfx11 a 20-bit counter: use wall_clock). host: nanoseconds.
FERMATA_DEVICE inline std::uint64_t cycle_clock() noexcept { return backend::cycle_clock(); }

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
