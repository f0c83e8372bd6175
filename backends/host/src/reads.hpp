// Tells a lane that waits from a lane that works, by what it reads.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// The reads of one lane since it last changed anything. A lane that polls reads the same words with the same values in
// the same order, over and over, be it one word or a thousand. So one earlier read is kept as a mark; when it comes
// again, a lap is complete, and equal laps (by a hash of their reads) are repetition. The mark moves on at growing
// intervals (Brent's cycle search), so that a lap of any length is found.
class read_history {
 public:
  // Takes a read. True if it completes a lap or repeats the read before it: a good moment to let others run.
  bool note(void const* address, std::uint64_t value, unsigned bytes, thread_scope scope) noexcept {
    bool const same_as_last = address == last_address_ && value == last_value_;
    last_address_ = address;
    last_value_ = value;
    last_bytes_ = static_cast<unsigned char>(bytes);
    last_scope_ = scope;
    if (scope == thread_scope::system) host_may_end_it_ = true;
    lap_hash_ =
        (lap_hash_ ^ reinterpret_cast<std::uintptr_t>(address) ^ (value << 7 | value >> 57)) * 0x9E3779B97F4A7C15ull;
    ++lap_reads_;
    if (address == mark_address_ && value == mark_value_) {
      repeated_reads_ = lap_hash_ == previous_lap_hash_ ? repeated_reads_ + lap_reads_ : 0;
      previous_lap_hash_ = lap_hash_;
      last_lap_reads_ = lap_reads_;
      lap_hash_ = 0;
      lap_reads_ = 0;
      return true;
    }
    if (same_as_last) {
      set_mark(1);
      return true;
    }
    if (lap_reads_ >= mark_interval_) set_mark(mark_interval_ * 2);
    return false;
  }

  // The lane has read a clock: it may stop waiting by itself.
  void note_clock() noexcept { host_may_end_it_ = reads_clock_ = true; }

  // Whether the lane has read nothing since the last time that it did something that others can see.
  bool forgotten() const noexcept { return last_address_ == nullptr && !host_may_end_it_; }
  // The lane has done something that others can see.
  void forget() noexcept {
    if (forgotten()) return;
    mark_address_ = nullptr;
    last_address_ = nullptr;
    mark_interval_ = 1;
    lap_reads_ = repeated_reads_ = 0;
    lap_hash_ = previous_lap_hash_ = 0;
    host_may_end_it_ = reads_clock_ = false;
  }

  // Whether the lane has done nothing for a while but repeat its reads.
  static constexpr std::uint32_t enough_repeated_reads = 100;
  bool spinning() const noexcept { return repeated_reads_ >= enough_repeated_reads; }
  // How many reads it repeats.
  std::uint32_t lap() const noexcept { return last_lap_reads_; }
  // Whether something other than a lane (the host, the time) may end the repetition.
  bool host_may_end_it() const noexcept { return host_may_end_it_; }
  bool reads_clock() const noexcept { return reads_clock_; }

  void const* last_address() const noexcept { return last_address_; }
  std::uint64_t last_value() const noexcept { return last_value_; }
  unsigned last_bytes() const noexcept { return last_bytes_; }
  thread_scope last_scope() const noexcept { return last_scope_; }

 private:
  void set_mark(std::uint32_t interval) noexcept {
    mark_address_ = last_address_;
    mark_value_ = last_value_;
    mark_interval_ = interval;
    lap_reads_ = repeated_reads_ = 0;
    lap_hash_ = previous_lap_hash_ = 0;
  }

  // What is looked at even when the lane has read nothing comes first.
  void const* last_address_ = nullptr;
  unsigned char last_bytes_ = 0;
  bool host_may_end_it_ = false, reads_clock_ = false;
  thread_scope last_scope_ = thread_scope::device;
  std::uint32_t repeated_reads_ = 0;
  std::uint64_t last_value_ = 0;
  void const* mark_address_ = nullptr;
  std::uint64_t mark_value_ = 0;
  std::uint64_t lap_hash_ = 0, previous_lap_hash_ = 0;
  std::uint32_t mark_interval_ = 1, lap_reads_ = 0, last_lap_reads_ = 1;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
