// The device side of a measurement: what a kernel is told, what it hands back, and its clock.
#pragma once

#include <cstdint>
#include <fermata/fermata.hpp>

namespace bench {

namespace fm = fermata;

// A word on a line of its own: 128 bytes cover the granules of all targets.
struct alignas(128) line {
  std::uint32_t word;
};

// Written by the kernel.
struct record {
  std::uint64_t wall_start, wall_stop;
  std::uint64_t cycle_start, cycle_stop;
  std::uint32_t wrong;  // threads that saw a wrong value
};

// An iteration that never comes.
inline constexpr unsigned never = ~0u;

// The argument of every kernel.
struct trial {
  record* out;
  unsigned warm_up;     // iterations before the clock starts
  unsigned iterations;  // timed ones
  unsigned fault_at;    // the iteration in which the kernel sends one corrupted datum, or `never`

  FERMATA_FN unsigned end() const noexcept { return warm_up + iterations; }
  // What to flip in the datum of this iteration: nothing, unless a fault is asked for.
  FERMATA_FN std::uint32_t corruption(unsigned iteration) const noexcept { return iteration == fault_at ? 0x100u : 0u; }
};

// One thread reads the clocks when it has finished the warm-up and again at the end.
class stopwatch {
 public:
  FERMATA_DEVICE stopwatch(trial const& t, bool reader) noexcept : out_(t.out), start_at_(reader ? t.warm_up : never) {}

  // Called at the start of every iteration: one comparison, which is all that is added to what is measured.
  FERMATA_DEVICE void lap(unsigned iteration) noexcept {
    if (iteration == start_at_) {
      out_->wall_start = fm::wall_clock();
      out_->cycle_start = fm::cycle_clock();
    }
  }
  // Called after the last one.
  FERMATA_DEVICE void stop() noexcept {
    if (start_at_ != never) {
      out_->cycle_stop = fm::cycle_clock();
      out_->wall_stop = fm::wall_clock();
    }
  }

 private:
  record* out_;
  unsigned start_at_;
};

// Called by each checking thread once, when the clock has stopped.
FERMATA_DEVICE inline void report(trial const& t, bool wrong) noexcept {
  if (wrong) fm::device_atomic_ref<std::uint32_t>(t.out->wrong).fetch_add(1, fm::memory_order_relaxed);
}

// Values are compared as bits, so that no compiler flag changes the check.
FERMATA_DEVICE inline std::uint32_t bits_of(float value) noexcept {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
FERMATA_DEVICE inline float float_of(std::uint32_t bits) noexcept {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace bench
