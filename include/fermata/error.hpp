// What went wrong, on the host side. Device code never throws.
#pragma once

#include <stdexcept>
#include <string>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

enum class errc {
  invalid_argument,    // a precondition of a host function was not met
  no_device,           // no usable device of this backend
  too_many_blocks,     // a cooperative launch that cannot be resident; refused before launch
  out_of_memory,       // the device has not enough memory left
  deadlock,            // host backend: every resident lane waits, and nothing they read can still change
  barrier_misuse,      // host backend: threads of one block or wave wait at different collectives
  kernel_failed,       // a kernel threw, trapped or accessed memory it must not
  assertion_failed,    // FERMATA_ENABLE_ASSERTIONS: a device function was called against its precondition
  deadline_missed,     // a wait took longer than its deadline allows (grid_barrier<Algorithm, with_deadline>)
  unsupported,         // the device or the backend cannot do what was asked
  vendor,              // any other status of the vendor's runtime; the message quotes it
};

// Thrown by every host function that fails. Errors of a running kernel surface where its stream is
// synchronised.
class error : public std::runtime_error {
 public:
  error(errc code, std::string const& message) : std::runtime_error("fermata: " + message), code_(code) {}
  errc code() const noexcept { return code_; }

 private:
  errc code_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
