// The host half: what <fermata/backend/runtime.hpp> declares.
#include <boost/version.hpp>
#include <chrono>
#include <cstring>
#include <fermata/backend/runtime.hpp>
#include <fermata/error.hpp>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "check/checking.hpp"
#include "check/engine.hpp"
#include "check/memory.hpp"
#include "pool.hpp"
#include "recording.hpp"
#include "settings.hpp"
#include "shared_memory.hpp"
#include "stream.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {
namespace {

constexpr unsigned max_threads_per_block = 1024;
constexpr std::align_val_t buffer_alignment{256};
// On both sides of a buffer in check mode, where an access is a finding.
constexpr std::size_t margin = checking ? check::red_zone : 0;

void require_device(int device) {
  if (device != 0)
    throw error(errc::no_device,
                "there is no device " + std::to_string(device) + "; the host backend has one device, number 0");
}

stream& require(native_stream s) {
  if (s == nullptr)
    throw error(errc::invalid_argument,
                "a null stream; the host backend has no default stream, make a fermata::stream");
  return *s;
}

event& require(native_event e) {
  if (e == nullptr) throw error(errc::invalid_argument, "a null event");
  return *e;
}

std::string processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("model name")) continue;
    if (auto const start = line.find(": "); start != std::string::npos) return line.substr(start + 2);
  }
  return "unknown processor";
}

}  // namespace

void launch(int device, native_stream s, launch_config const& config, bool cooperative, kernel_call call) {
  require_device(device);
  dim3 const& grid = config.grid;
  std::uint64_t const most = std::numeric_limits<std::int32_t>::max();
  // In two steps, because three factors could wrap around in 64 bits.
  if (std::uint64_t{grid.x} * grid.y > most || std::uint64_t{grid.x} * grid.y * grid.z > most)
    throw error(errc::invalid_argument, "launch: a grid has at most 2147483647 blocks");
  auto const& b = config.block;
  bool const wraps = b.x > max_threads_per_block || b.y > max_threads_per_block || b.z > max_threads_per_block;
  if (grid.count() == 0 || b.count() == 0 || wraps || b.count() > max_threads_per_block)
    throw error(errc::invalid_argument, "launch: a grid has at least one block, a block 1 to " +
                                            std::to_string(max_threads_per_block) + " threads");
  if (config.dynamic_shared_bytes > shared_bytes_per_block)
    throw error(errc::invalid_argument,
                "launch: a block has at most " + std::to_string(shared_bytes_per_block) + " bytes of shared memory");
  require(s).push(launch_request{std::move(call), config, cooperative});
}

}  // namespace host

int device_count() noexcept { return 1; }

device_info query_device(int device) {
  host::require_device(device);
  host::settings const how = host::read_settings();
  return {
      .name = "fermata host (" + std::to_string(how.workers) + (how.workers == 1 ? " worker)" : " workers)"),
      .vendor = "host",
      .arch = host::processor_name(),
      .driver = "-",
      .runtime =
          "Boost.Context " + std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000),
      .wave_size = how.wave_size,
      .multiprocessors = how.workers,
      .max_threads_per_block = host::max_threads_per_block,
      .max_blocks_per_cluster = 8,
      .shared_bytes_per_block = host::shared_bytes_per_block,
      .cooperative_launch = true,
      .wall_clock_rate = 1e9,
      .cycle_clock_rate = 1e9,
  };
}

void device_synchronize(int device) {
  host::require_device(device);
  auto const streams = host::pool::instance().streams();
  for (auto const& s : streams) s->wait_until_idle();
  for (auto const& s : streams)
    if (auto const failure = s->take_error()) throw *failure;
}

void* allocate(int device, std::size_t bytes, memory_kind) {
  host::require_device(device);
  // Made before the buffer, so that it outlives a buffer with static storage.
  (void)host::pool::instance();
  auto* const allocation = static_cast<std::byte*>(
      ::operator new(bytes + 2 * host::margin, host::buffer_alignment, std::nothrow));
  if (allocation == nullptr)
    throw error(errc::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes on the host");
  void* const memory = allocation + host::margin;
  std::memset(memory, host::poison, bytes);
  if constexpr (host::checking) host::check::allocated(memory, bytes);
  host::note_allocation(memory, bytes);
  return memory;
}

void deallocate(int, void* memory, memory_kind) noexcept {
  for (auto const& s : host::pool::instance().streams()) s->wait_until_idle();
  host::note_deallocation(memory);
  if (memory == nullptr) return;
  if constexpr (host::checking) host::check::deallocated(memory);
  ::operator delete(static_cast<std::byte*>(memory) - host::margin, host::buffer_alignment);
}

native_stream stream_create(int device) {
  host::require_device(device);
  auto s = std::make_shared<host::stream>();
  native_stream const native = s.get();
  host::pool::instance().add(std::move(s));
  return native;
}

void stream_destroy(int, native_stream s) noexcept {
  if (s == nullptr) return;
  s->wait_until_idle();
  host::pool::instance().remove(s);
}

void stream_synchronize(int, native_stream s) { host::require(s).synchronize("stream::synchronize"); }

void copy_to_device(int, native_stream s, void* to, void const* from, std::size_t bytes) {
  host::require(s).synchronize("copy to the device");
  std::memcpy(to, from, bytes);
  if constexpr (host::checking) host::check::written_by_host(to, bytes);
  host::note_progress_of_the_host();
}

void copy_to_host(int, native_stream s, void* to, void const* from, std::size_t bytes) {
  host::require(s).synchronize("copy to the host");
  std::memcpy(to, from, bytes);
}

void fill_bytes(int, native_stream s, void* memory, unsigned char value, std::size_t bytes) {
  host::require(s).push(host::fill_request{memory, value, bytes});
}

native_event event_create(int device) {
  host::require_device(device);
  return new host::event;
}

void event_destroy(native_event e) noexcept { delete e; }

void event_record(int, native_event e, native_stream s) {
  host::require(s).push(host::record_request{host::require(e).where});
}

void event_synchronize(native_event e) { host::require(e).where->wait(); }

double event_elapsed_microseconds(native_event start, native_event stop) {
  auto const from = host::require(start).where->time(), to = host::require(stop).where->time();
  if (!from || !to)
    throw error(errc::invalid_argument,
                "event: both events must have been recorded and reached; call synchronize() first");
  return std::chrono::duration<double, std::micro>(*to - *from).count();
}

void capture_begin(int, native_stream s) { host::require(s).capture_begin(); }

native_graph capture_end(int, native_stream s) {
  auto g = host::require(s).capture_end();
  if (!g) throw error(errc::invalid_argument, "graph capture: the stream is not being captured");
  return g.release();
}

void capture_abort(int, native_stream s) noexcept { s->capture_end(); }

void graph_launch(int, native_graph g, native_stream s) {
  if (g == nullptr) throw error(errc::invalid_argument, "graph::launch: the graph has been moved from");
  host::require(s).push_all(g->operations);
}

void graph_destroy(native_graph g) noexcept { delete g; }

int max_resident_blocks(int device, void const*, unsigned threads, std::size_t dynamic_shared_bytes,
                        unsigned cluster) {
  host::require_device(device);
  if (threads == 0 || threads > host::max_threads_per_block || dynamic_shared_bytes > host::shared_bytes_per_block)
    throw error(errc::invalid_argument, "max_resident_blocks: a block has 1 to " +
                                            std::to_string(host::max_threads_per_block) + " threads and at most " +
                                            std::to_string(host::shared_bytes_per_block) + " bytes of shared memory");
  return static_cast<int>(host::read_settings().resident_blocks / cluster * cluster);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
