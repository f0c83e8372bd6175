// The host half of the host backend: one device, made of worker threads; streams that run beside the host.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/memory_kind.hpp>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

struct device_info {
  std::string name, vendor, arch, driver, runtime;
  unsigned wave_size = 0, multiprocessors = 0, max_threads_per_block = 0, max_blocks_per_cluster = 1;
  std::size_t shared_bytes_per_block = 0;
  bool cooperative_launch = false;
  double wall_clock_rate = 0, cycle_clock_rate = 0;
};

namespace host {

struct stream;
struct event;
struct graph;

// One argument of a kernel where it is kept.
struct argument {
  void const* value;
  std::size_t bytes, alignment;
};

// A kernel with its arguments, as every lane calls it; and as somebody sees it who writes the launch down.
struct kernel_call {
  void (*invoke)(void const* arguments);
  std::shared_ptr<void const> arguments;
  void const* kernel;
  std::vector<argument> list;
};

}  // namespace host

using native_stream = host::stream*;
using native_event = host::event*;
using native_graph = host::graph*;

namespace host {

void launch(int device, native_stream stream, launch_config const& config, bool cooperative, kernel_call call);

}  // namespace host

int device_count() noexcept;
device_info query_device(int device);
void device_synchronize(int device);

// Filled with 0xCB, so that reading what nobody wrote is seen.
void* allocate(int device, std::size_t bytes, memory_kind kind);
// Waits for everything that runs on the device first, as cudaFree does.
void deallocate(int device, void* memory, memory_kind kind) noexcept;

native_stream stream_create(int device);
// Waits for the stream's work.
void stream_destroy(int device, native_stream stream) noexcept;
void stream_synchronize(int device, native_stream stream);

// Both wait for the work queued before them, and so throw its error, as stream_synchronize does.
void copy_to_device(int device, native_stream stream, void* to, void const* from, std::size_t bytes);
void copy_to_host(int device, native_stream stream, void* to, void const* from, std::size_t bytes);
void fill_bytes(int device, native_stream stream, void* memory, unsigned char value, std::size_t bytes);

native_event event_create(int device);
void event_destroy(native_event event) noexcept;
void event_record(int device, native_event event, native_stream stream);
void event_synchronize(native_event event);
double event_elapsed_microseconds(native_event start, native_event stop);

void capture_begin(int device, native_stream stream);
native_graph capture_end(int device, native_stream stream);
void capture_abort(int device, native_stream stream) noexcept;
void graph_launch(int device, native_graph graph, native_stream stream);
void graph_destroy(native_graph graph) noexcept;

// FERMATA_HOST_RESIDENT_BLOCKS, for every kernel, in whole clusters: each launch has this budget for itself.
int max_resident_blocks(int device, void const* kernel, unsigned threads, std::size_t dynamic_shared_bytes,
                        unsigned cluster);

namespace host {

template <class... P>
kernel_call call_of(void (*kernel)(P...), std::type_identity_t<P>... arguments) {
  using call = std::tuple<void (*)(P...), P...>;
  auto const made = std::make_shared<call const>(kernel, arguments...);
  return {[](void const* erased) {
            // The arguments are nobody else's: the checker need not see how they are read.
            std::apply([](auto* f, auto const&... a) __attribute__((no_sanitize("thread"))) { f(a...); },
                       *static_cast<call const*>(erased));
          },
          made, reinterpret_cast<void const*>(kernel),
          std::apply(
              [](auto*, auto const&... a) {
                return std::vector<argument>{argument{&a, sizeof a, alignof(decltype(a))}...};
              },
              *made)};
}

}  // namespace host

template <class... P>
void launch(int device, native_stream stream, launch_config const& config, bool cooperative, void (*kernel)(P...),
            std::type_identity_t<P>... arguments) {
  host::launch(device, stream, config, cooperative, host::call_of<P...>(kernel, arguments...));
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
