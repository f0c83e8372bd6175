// The host half of a GPU backend, written once: CUDA and HIP have the same calls under two names. Each backend's
// <fermata/backend/vendor.hpp> gives them one: thin inline functions in backend::vendor that return the vendor's
// status untouched. Every status is checked here.
#pragma once

#include <cstddef>
#include <string>

#include <fermata/backend/vendor.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/detail/deadline_report.hpp>
#include <fermata/detail/gpu/check_mailbox.hpp>
#include <fermata/error.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/memory_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

using native_stream = vendor::stream_handle;
using native_event = vendor::event_handle;
using native_graph = vendor::graph_handle;

// Throws what a vendor status says, in the vendor's own words.
[[noreturn]] inline void throw_status(vendor::status s, std::string const& what) {
  int device = 0;
  if (vendor::is_kernel_failure(s) && vendor::is_success(vendor::get_device(&device))) {
    if (auto const report = check_mailboxes::instance().take(device); !report.empty())
      throw error(errc::assertion_failed, report);
    if (auto const report = detail::deadline_reports::instance().first_of(device); !report.empty())
      throw error(errc::deadline_missed, report);
  }
  errc const code = vendor::is_no_device(s)        ? errc::no_device
                    : vendor::is_out_of_memory(s)  ? errc::out_of_memory
                    : vendor::is_too_large(s)      ? errc::too_many_blocks
                    : vendor::is_kernel_failure(s) ? errc::kernel_failed
                                                   : errc::vendor;
  throw error(code, what + ": " + vendor::status_name(s) + ": " + vendor::status_text(s));
}

inline void check(vendor::status s, char const* what) {
  if (!vendor::is_success(s)) throw_status(s, what);
}

inline int device_count() noexcept {
  int n = 0;
  if (!vendor::is_success(vendor::get_device_count(&n))) {
    // A failed query leaves the status behind, and the next check would report it as its own.
    (void)vendor::take_last_error();
    return 0;
  }
  return n;
}

// The runtime keeps a current device per host thread. Each call that depends on it sets it for its own duration, so
// that several host threads, and code of others around ours, are not disturbed.
class device_guard {
 public:
  explicit device_guard(int index) {
    check(vendor::get_device(&previous_), "current device");
    changed_ = previous_ != index;
    if (changed_) check(vendor::set_device(index), "set device");
  }
  device_guard(device_guard const&) = delete;
  device_guard& operator=(device_guard const&) = delete;
  ~device_guard() {
    if (changed_) (void)vendor::set_device(previous_);
  }

 private:
  int previous_ = 0;
  bool changed_ = false;
};

inline int attribute(int index, vendor::attribute a, char const* what) {
  int value = 0;
  check(vendor::get_attribute(&value, a, index), what);
  return value;
}

struct device_info {
  std::string name, vendor, arch, driver, runtime;
  unsigned wave_size = 0, multiprocessors = 0, max_threads_per_block = 0, max_blocks_per_cluster = 1;
  std::size_t shared_bytes_per_block = 0;
  bool cooperative_launch = false;
  double wall_clock_rate = 0, cycle_clock_rate = 0;
};

inline device_info query_device(int index) {
  int count = 0;
  vendor::status const s = vendor::get_device_count(&count);
  if (!vendor::is_success(s) || count == 0) {
    (void)vendor::take_last_error();
    throw error(errc::no_device,
                std::string("no ") + vendor::vendor_name() + " device" +
                    (vendor::is_success(s) ? std::string() : std::string(": ") + vendor::status_text(s)) +
                    ". Check the driver with " + vendor::management_tool() +
                    ", or build with FERMATA_BACKEND=host, which needs none.");
  }
  if (index < 0 || index >= count)
    throw error(errc::no_device, "device " + std::to_string(index) + " asked for; there are " + std::to_string(count) +
                                     ", numbered from 0");
  device_info info;
  info.vendor = vendor::vendor_name();
  vendor::fill_names(index, info.name, info.arch, info.driver, info.runtime);
  info.wave_size = static_cast<unsigned>(attribute(index, vendor::attribute_wave_size, "wave size"));
  info.multiprocessors =
      static_cast<unsigned>(attribute(index, vendor::attribute_multiprocessors, "multiprocessor count"));
  info.max_threads_per_block =
      static_cast<unsigned>(attribute(index, vendor::attribute_max_threads, "threads per block"));
  info.shared_bytes_per_block =
      static_cast<std::size_t>(attribute(index, vendor::attribute_shared_bytes, "shared memory per block"));
  check(vendor::max_blocks_per_cluster(&info.max_blocks_per_cluster, index), "blocks per cluster");
  info.cooperative_launch = attribute(index, vendor::attribute_cooperative, "cooperative launch") != 0;
  info.wall_clock_rate = vendor::wall_clock_rate(index);
  info.cycle_clock_rate = 1e3 * attribute(index, vendor::attribute_clock_khz, "clock rate");
  return info;
}

inline void device_synchronize(int index) {
  device_guard guard(index);
  check(vendor::device_synchronize(), "device synchronize");
}

inline void* allocate(int index, std::size_t bytes, memory_kind kind) {
  device_guard guard(index);
  if (kind == memory_kind::managed && attribute(index, vendor::attribute_concurrent_managed, "managed memory") == 0)
    throw error(errc::unsupported,
                "buffer: the CPU and this device may not share managed memory while a kernel runs. Use "
                "memory_kind::mapped for what both access, memory_kind::device for the rest.");
  void* p = nullptr;
  vendor::status const s = vendor::allocate(&p, bytes, kind);
  if (!vendor::is_success(s)) {
    (void)vendor::take_last_error();
    throw_status(s, "allocate " + std::to_string(bytes) + " bytes of memory");
  }
  return p;
}

// No error is thrown: this runs in destructors. After a failed kernel every call fails, and the kernel's own failure
// has been or will be reported by synchronize.
inline void deallocate(int, void* p, memory_kind kind) noexcept { (void)vendor::deallocate(p, kind); }

inline native_stream stream_create(int index) {
  device_guard guard(index);
  // Here, too, because the first launch may be one that a graph records.
  check(check_mailboxes::instance().prepare(index), "prepare for failed checks");
  native_stream s{};
  check(vendor::stream_create(&s), "create stream");
  return s;
}
inline void stream_destroy(int, native_stream s) noexcept { (void)vendor::stream_destroy(s); }
inline void stream_synchronize(int index, native_stream s) {
  device_guard guard(index);
  check(vendor::stream_synchronize(s), "synchronize");
}

// The device is set for these, too: the default stream, which is no handle but 0, is that of the current device.
inline void copy(int index, native_stream s, void* to, void const* from, std::size_t bytes, char const* what) {
  device_guard guard(index);
  check(vendor::copy(to, from, bytes, s), what);
  check(vendor::stream_synchronize(s), what);
}
inline void copy_to_device(int index, native_stream s, void* to, void const* from, std::size_t bytes) {
  copy(index, s, to, from, bytes, "copy to device");
}
inline void copy_to_host(int index, native_stream s, void* to, void const* from, std::size_t bytes) {
  copy(index, s, to, from, bytes, "copy to host");
}
inline void fill_bytes(int index, native_stream s, void* p, unsigned char value, std::size_t bytes) {
  device_guard guard(index);
  check(vendor::fill(p, value, bytes, s), "fill");
}

inline native_event event_create(int index) {
  device_guard guard(index);
  native_event e{};
  check(vendor::event_create(&e), "create event");
  return e;
}
inline void event_destroy(native_event e) noexcept { (void)vendor::event_destroy(e); }
inline void event_record(int index, native_event e, native_stream s) {
  device_guard guard(index);
  check(vendor::event_record(e, s), "record event");
}
inline void event_synchronize(native_event e) { check(vendor::event_synchronize(e), "synchronize event"); }
inline double event_elapsed_microseconds(native_event start, native_event stop) {
  float milliseconds = 0;
  check(vendor::event_elapsed(&milliseconds, start, stop), "time between events");
  return 1e3 * milliseconds;
}

inline void capture_begin(int index, native_stream s) {
  device_guard guard(index);
  check(vendor::capture_begin(s), "begin graph capture");
}
inline native_graph capture_end(int index, native_stream s) {
  device_guard guard(index);
  native_graph g{};
  check(vendor::capture_end(s, &g), "end graph capture");
  return g;
}
inline void capture_abort(int, native_stream s) noexcept {
  native_graph g{};
  if (vendor::is_success(vendor::capture_end(s, &g))) (void)vendor::graph_destroy(g);
  (void)vendor::take_last_error();
}
inline void graph_launch(int index, native_graph g, native_stream s) {
  device_guard guard(index);
  check(vendor::graph_launch(g, s), "launch graph");
}
inline void graph_destroy(native_graph g) noexcept { (void)vendor::graph_destroy(g); }

inline int max_resident_blocks(int index, void const* kernel, unsigned threads, std::size_t dynamic_shared_bytes,
                               unsigned cluster) {
  device_guard guard(index);
  if (cluster > 1) {
    int clusters = 0;
    check(vendor::cluster_occupancy(&clusters, kernel, threads, dynamic_shared_bytes, cluster), "cluster occupancy");
    return clusters * static_cast<int>(cluster);
  }
  int per_multiprocessor = 0;
  check(vendor::occupancy(&per_multiprocessor, kernel, static_cast<int>(threads), dynamic_shared_bytes), "occupancy");
  return vendor::trusted_occupancy(per_multiprocessor) *
         attribute(index, vendor::attribute_multiprocessors, "multiprocessor count");
}

template <class... P>
void launch(int index, native_stream s, launch_config const& config, bool cooperative, void (*kernel)(P...),
            P... args) {
  device_guard guard(index);
  check(check_mailboxes::instance().prepare(index), "prepare for failed checks");
  // The trailing null keeps the array legal for a kernel without parameters.
  void* arguments[] = {const_cast<void*>(static_cast<void const*>(&args))..., nullptr};
  check(vendor::launch(reinterpret_cast<void const*>(kernel), config, cooperative, arguments, s), "launch");
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
