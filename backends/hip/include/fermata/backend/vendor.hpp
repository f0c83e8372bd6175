// HIP: the vendor's host calls under the names that include/fermata/detail/gpu/runtime.hpp uses.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <string>

#include <fermata/detail/config.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/memory_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::vendor {

using status = hipError_t;
using stream_handle = hipStream_t;
using event_handle = hipEvent_t;
using graph_handle = hipGraphExec_t;
using attribute = hipDeviceAttribute_t;

inline char const* vendor_name() { return "AMD"; }
inline char const* management_tool() { return "rocminfo"; }
inline char const* status_name(status s) { return hipGetErrorName(s); }
inline char const* status_text(status s) { return hipGetErrorString(s); }
inline bool is_success(status s) { return s == hipSuccess; }
// Without a device some calls of HIP 5 return hipErrorInvalidDevice.
inline bool is_no_device(status s) {
  return s == hipErrorNoDevice || s == hipErrorInvalidDevice || s == hipErrorInsufficientDriver;
}
inline bool is_out_of_memory(status s) { return s == hipErrorOutOfMemory; }
inline bool is_too_large(status s) { return s == hipErrorCooperativeLaunchTooLarge; }
inline bool is_kernel_failure(status s) {
  return s == hipErrorIllegalAddress || s == hipErrorLaunchFailure || s == hipErrorAssert || s == hipErrorLaunchTimeOut;
}
inline status take_last_error() { return hipGetLastError(); }

inline status get_device_count(int* n) { return hipGetDeviceCount(n); }
inline status get_device(int* index) { return hipGetDevice(index); }
inline status set_device(int index) { return hipSetDevice(index); }
inline status device_synchronize() { return hipDeviceSynchronize(); }
inline status get_attribute(int* value, attribute a, int index) { return hipDeviceGetAttribute(value, a, index); }
inline constexpr attribute attribute_wave_size = hipDeviceAttributeWarpSize;
inline constexpr attribute attribute_multiprocessors = hipDeviceAttributeMultiprocessorCount;
inline constexpr attribute attribute_max_threads = hipDeviceAttributeMaxThreadsPerBlock;
inline constexpr attribute attribute_shared_bytes = hipDeviceAttributeMaxSharedMemoryPerBlock;
inline constexpr attribute attribute_cooperative = hipDeviceAttributeCooperativeLaunch;
inline constexpr attribute attribute_concurrent_managed = hipDeviceAttributeConcurrentManagedAccess;
inline constexpr attribute attribute_clock_khz = hipDeviceAttributeClockRate;

// Ticks per second of wall_clock().
inline double wall_clock_rate(int index) {
  // hipDeviceAttributeWallClockRate, in kHz, by its number: the headers of HIP 5.2 have no name for it, but the runtime
  // that the program meets may be newer than they are.
  auto const wall_clock_khz = static_cast<attribute>(hipDeviceAttributeAmdSpecificBegin + 17);
  int khz = 0;
  if (hipDeviceGetAttribute(&khz, wall_clock_khz, index) == hipSuccess && khz > 0) return 1e3 * khz;
  (void)hipGetLastError();
  // A runtime that does not know, or says 0. The counter behind s_memrealtime runs at a constant rate, "typically
  // 100 MHz" (documentation of the s_memrealtime intrinsic, Rust's core::arch::amdgpu).
  return 100e6;
}

inline std::string version_text(int version) {
  return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100) + "." +
         std::to_string(version % 100'000);
}

inline void fill_names(int index, std::string& name, std::string& arch, std::string& driver, std::string& runtime) {
  hipDeviceProp_t properties{};
  if (hipGetDeviceProperties(&properties, index) == hipSuccess) {
    name = properties.name;
    arch = properties.gcnArchName;
  }
  int version = 0;
  if (hipDriverGetVersion(&version) == hipSuccess) driver = "HIP " + version_text(version);
  if (hipRuntimeGetVersion(&version) == hipSuccess) runtime = "HIP " + version_text(version);
}

// hipMalloc is coarse-grained. The address of mapped memory is the same on both sides.
inline status allocate(void** p, std::size_t bytes, memory_kind kind) {
  switch (kind) {
    case memory_kind::fine: return hipExtMallocWithFlags(p, bytes, hipDeviceMallocFinegrained);
    case memory_kind::mapped:
      return hipHostMalloc(p, bytes, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
    case memory_kind::managed: return hipMallocManaged(p, bytes, hipMemAttachGlobal);
    case memory_kind::device: break;
  }
  return hipMalloc(p, bytes);
}
inline status deallocate(void* p, memory_kind kind) {
  return kind == memory_kind::mapped ? hipHostFree(p) : hipFree(p);
}

// Non-blocking: work of ours is never ordered by accident with what others put in the legacy default stream.
inline status stream_create(stream_handle* s) { return hipStreamCreateWithFlags(s, hipStreamNonBlocking); }
inline status stream_destroy(stream_handle s) { return hipStreamDestroy(s); }
inline status stream_synchronize(stream_handle s) { return hipStreamSynchronize(s); }

// The runtime sees from the addresses which way the bytes go.
inline status copy(void* to, void const* from, std::size_t bytes, stream_handle s) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, s);
}
inline status fill(void* p, unsigned char value, std::size_t bytes, stream_handle s) {
  return hipMemsetAsync(p, value, bytes, s);
}

// A device global, by the address of its shadow on the host.
inline status set_symbol(void const* symbol, void const* from, std::size_t bytes) {
  return hipMemcpyToSymbol(symbol, from, bytes, 0, hipMemcpyHostToDevice);
}

inline status event_create(event_handle* e) { return hipEventCreate(e); }
inline status event_destroy(event_handle e) { return hipEventDestroy(e); }
inline status event_record(event_handle e, stream_handle s) { return hipEventRecord(e, s); }
inline status event_synchronize(event_handle e) { return hipEventSynchronize(e); }
inline status event_elapsed(float* milliseconds, event_handle start, event_handle stop) {
  return hipEventElapsedTime(milliseconds, start, stop);
}

inline status capture_begin(stream_handle s) { return hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal); }
inline status capture_end(stream_handle s, graph_handle* result) {
  hipGraph_t graph = nullptr;
  status r = hipStreamEndCapture(s, &graph);
  if (r != hipSuccess) return r;
  r = hipGraphInstantiate(result, graph, nullptr, nullptr, 0);
  status const destroyed = hipGraphDestroy(graph);
  return r != hipSuccess ? r : destroyed;
}
inline status graph_launch(graph_handle g, stream_handle s) { return hipGraphLaunch(g, s); }
inline status graph_destroy(graph_handle g) { return hipGraphExecDestroy(g); }

// All of the shared memory of a compute unit may be dynamic; nothing has to be asked for.
inline status occupancy(int* blocks, void const* kernel, int threads, std::size_t dynamic_shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_shared_bytes);
}
// The query has reported more blocks than fit, the vendor's own check of a cooperative launch uses the same number, and
// the blocks then wait for ever for those that never start (ROCm/rocm-systems PR 10618: 32 reported, 28 fitted). So one
// block a compute unit is held back where there are several.
inline int trusted_occupancy(int blocks) { return blocks > 1 ? blocks - 1 : blocks; }

// No clusters: the shared code refuses a launch with more than one block in one.
inline status max_blocks_per_cluster(unsigned* blocks, int) {
  *blocks = 1;
  return hipSuccess;
}
inline status cluster_occupancy(int*, void const*, unsigned, std::size_t, unsigned) { return hipErrorNotSupported; }

inline status launch(void const* kernel, launch_config const& config, bool cooperative, void** arguments,
                     stream_handle s) {
  ::dim3 const grid(config.grid.x, config.grid.y, config.grid.z), block(config.block.x, config.block.y, config.block.z);
  auto const shared_bytes = config.dynamic_shared_bytes;
  return cooperative
             ? hipLaunchCooperativeKernel(kernel, grid, block, arguments, static_cast<unsigned>(shared_bytes), s)
             : hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, s);
}

}  // namespace backend::vendor
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
