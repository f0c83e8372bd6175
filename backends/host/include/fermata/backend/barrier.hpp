// The host: atomics on a word, which the executor watches for the lanes that wait.
#pragma once

#include <cstdint>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/generic/barrier.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

// The calling lane has arrived in a phase of the barrier, and now waits for its end. Misuse if another lane of its wave
// waits for the same phase in another line: on AMD the lanes of one of the lines would wait before the others arrive.
void begin_meeting(void const* barrier, std::uint32_t phase, detail::call_site site) noexcept;
void end_meeting() noexcept;

}  // namespace host

template <thread_scope S, class Completion>
class barrier_form : public detail::generic::phase_barrier<S, Completion> {
 public:
  void arrive_and_wait(detail::call_site site) noexcept {
    auto const token = this->arrive(1);
    host::begin_meeting(this, this->phase_of(token), site);
    this->wait(token);
    host::end_meeting();
  }
};

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
