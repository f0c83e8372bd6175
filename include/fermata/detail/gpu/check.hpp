// How a check fails on a GPU: a report in memory of the CPU, then a trap. See <fermata/detail/check.hpp>.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/block.hpp>
#include <fermata/backend/fence.hpp>
#include <fermata/backend/wave.hpp>
#include <fermata/detail/check_report.hpp>
#include <fermata/detail/gpu/check_mailbox.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

inline constexpr bool executor_checks_lanes = false;

// Of each translation unit: a device global is not shared between them without relocatable device code. The host fills
// in all of them (gpu/check_mailbox.hpp).
namespace {
__attribute__((device)) detail::check_report* check_mailbox;
__attribute__((device)) std::uint32_t check_mailbox_taken;
check_mailbox_registration const check_mailbox_registered(&check_mailbox);
}  // namespace

// Does not return. The first thread that fails reports; the others give it time to, because a trap ends them all.
FERMATA_DEVICE inline void fail_check(detail::failure what, detail::operation where, std::uint64_t expected,
                                      std::uint64_t actual) noexcept {
  detail::check_report* const report = check_mailbox;
  if (report != nullptr) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if (atomic_exchange<thread_scope::device, relaxed>(&check_mailbox_taken, std::uint32_t{1}) == 0) {
      dim3 const block = block_index();
      unsigned const thread = block_thread_rank();
      auto const put = [](std::uint32_t* to, std::uint32_t value) {
        atomic_store<thread_scope::system, relaxed>(to, value);
      };
      put(reinterpret_cast<std::uint32_t*>(&report->what), static_cast<std::uint32_t>(what));
      put(reinterpret_cast<std::uint32_t*>(&report->where), static_cast<std::uint32_t>(where));
      put(&report->block[0], block.x);
      put(&report->block[1], block.y);
      put(&report->block[2], block.z);
      put(&report->thread, thread);
      put(&report->wave, thread / wave_size());
      put(&report->lane, lane_id());
      atomic_store<thread_scope::system, relaxed>(&report->expected, expected);
      atomic_store<thread_scope::system, relaxed>(&report->actual, actual);
      atomic_store<thread_scope::system, std::memory_order_release>(&report->complete, std::uint32_t{1});
      atomic_thread_fence<thread_scope::system, std::memory_order_seq_cst>();
    }
    // Bounded, because a thread that has failed must end whatever becomes of the report.
    for (int i = 0; i < 10000 && atomic_load<thread_scope::system, relaxed>(&report->complete) == 0; ++i) {
    }
  }
  trap();
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
