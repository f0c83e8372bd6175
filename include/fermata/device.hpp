// A device of the backend that the build chose.
#pragma once

#include <string>

#include <fermata/backend/runtime.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/error.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// What a device is and can do; read once when the `device` is made. backend::device_info has the fields:
//   name, vendor, arch, driver, runtime (text)    wave_size, multiprocessors, max_threads_per_block
//   shared_bytes_per_block                         cooperative_launch
//   max_blocks_per_cluster                         the portable maximum, 8; 1 where there are no clusters
//   wall_clock_rate, cycle_clock_rate              ticks per second of wall_clock() and, nominally, cycle_clock()
using device_info = backend::device_info;

// A handle; copyable, cheap to pass.
class device {
 public:
  // The number of devices; 0 if there are none. Never throws.
  static int count() noexcept { return backend::device_count(); }

  // Pre: 0 <= index < count(); errc::no_device otherwise, with the reason and the way out.
  explicit device(int index = 0) : index_(index), info_(backend::query_device(index)) {}

  int index() const noexcept { return index_; }
  device_info const& info() const noexcept { return info_; }
  std::string const& name() const noexcept { return info_.name; }
  // The width of a wave on this device: 32 or 64. On the host backend FERMATA_HOST_WAVE chooses it.
  unsigned wave_size() const noexcept { return info_.wave_size; }

  // Waits for everything that runs on the device; throws the first error of a kernel that nobody has seen yet.
  void synchronize() const { backend::device_synchronize(index_); }

 private:
  int index_;
  device_info info_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
