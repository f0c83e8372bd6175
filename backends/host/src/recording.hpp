// Launches written down for someone else to run: with FERMATA_HOST_RECORD=<folder> each launch leaves a file there with
// its shape, its arguments, and the contents of the buffers that the arguments point into, before and after.
// ci/amd-objects makes test data for AMD GPUs of them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "launch.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// Buffers as they come and go; the recording must know what an argument points to.
void note_allocation(void* memory, std::size_t bytes);
void note_deallocation(void* memory) noexcept;
struct live_buffer {
  void* memory;
  std::size_t bytes;
};
std::vector<live_buffer> live_buffers();
// The variables of FERMATA_GLOBAL.
std::vector<live_buffer> live_globals();

// One launch while it runs.
class launch_recording {
 public:
  // Takes down everything that is known before the launch. Null if nothing is recorded, if the launch is larger than
  // what is worth keeping, or if the same kernel was recorded often enough.
  static std::shared_ptr<launch_recording> begin(launch_request const& request, settings const& how);
  // The launch has ended well: takes down the buffers again and writes the file. The error if it cannot be written.
  std::optional<error> end();

  ~launch_recording();

 private:
  struct contents;
  explicit launch_recording(std::unique_ptr<contents> what);
  std::unique_ptr<contents> what_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
