// What a failed check says: written by the device, read by the host. See <fermata/detail/check.hpp>.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/detail/config.hpp>
#include <fermata/detail/operation.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

enum class failure : std::uint32_t { divergent_wave, mixed_operations, wrong_members, incomplete_block, misaligned };

constexpr char const* name_of(operation op) noexcept {
  constexpr char const* names[] = {"sync()",
                                   "any()",
                                   "all()",
                                   "ballot()",
                                   "shfl()",
                                   "shfl_up()",
                                   "shfl_down()",
                                   "shfl_xor()",
                                   "broadcast()",
                                   "match_any()",
                                   "match_all()",
                                   "reduce()",
                                   "inclusive_scan()",
                                   "exclusive_scan()",
                                   "this_block().sync()",
                                   "this_block().sync_count()",
                                   "this_block().sync_and()",
                                   "this_block().sync_or()",
                                   "atomic_ref"};
  return names[static_cast<unsigned>(op)];
}

// One failure; lives in memory that both sides reach. `complete` is written last.
struct check_report {
  std::uint32_t complete;
  failure what;
  operation where;
  std::uint32_t block[3];
  std::uint32_t thread, wave, lane;
  std::uint64_t expected, actual;
};

inline std::string in_hex(std::uint64_t value) {
  std::string text;
  do text.insert(0, 1, "0123456789abcdef"[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + text;
}

inline std::string describe(check_report const& r) {
  std::string const expected = in_hex(r.expected), actual = in_hex(r.actual), op = name_of(r.where);
  std::string text = "check failed in block (" + std::to_string(r.block[0]) + ", " + std::to_string(r.block[1]) + ", " +
                     std::to_string(r.block[2]) + "), wave " + std::to_string(r.wave) + ", lane " +
                     std::to_string(r.lane) + " (thread " + std::to_string(r.thread) + "): ";
  switch (r.what) {
    case failure::divergent_wave:
      return text + op + " of a wave was called by the lanes " + actual + ", the wave has the lanes " + expected +
             ". The others took another branch or have returned; every lane must call it together.";
    case failure::mixed_operations:
      return text + "the lanes " + actual + " of a wave are at different operations, this one at " + op +
             "; every lane must call the same one.";
    case failure::wrong_members:
      return text + op + " of the lanes " + expected + " was called by the lanes " + actual +
             ". Exactly the lanes that the group names must call it together.";
    case failure::incomplete_block:
      return text + op + " was reached by " + std::to_string(r.actual) + " of the " + std::to_string(r.expected) +
             " threads of the block. The others have returned; every thread must reach it.";
    case failure::misaligned:
      return text + op + " of an object at the address " + actual + ", which is not aligned to " +
             std::to_string(r.expected) + " bytes.";
  }
  return text + "unknown";
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
