// CUDA: clocks.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline std::uint64_t wall_clock() noexcept {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
  return t;
}

FERMATA_DEVICE inline std::uint64_t cycle_clock() noexcept {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory");
  return t;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
