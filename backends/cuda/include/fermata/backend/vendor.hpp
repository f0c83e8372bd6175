// CUDA: the vendor's host calls under the names that include/fermata/detail/gpu/runtime.hpp uses.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include <fermata/detail/config.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/memory_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::vendor {

using status = cudaError_t;
using stream_handle = cudaStream_t;
using event_handle = cudaEvent_t;
using graph_handle = cudaGraphExec_t;
using attribute = cudaDeviceAttr;

inline char const* vendor_name() { return "NVIDIA"; }
inline char const* management_tool() { return "nvidia-smi"; }
inline char const* status_name(status s) { return cudaGetErrorName(s); }
inline char const* status_text(status s) { return cudaGetErrorString(s); }
inline bool is_success(status s) { return s == cudaSuccess; }
inline bool is_no_device(status s) { return s == cudaErrorNoDevice || s == cudaErrorInsufficientDriver; }
inline bool is_out_of_memory(status s) { return s == cudaErrorMemoryAllocation; }
inline bool is_too_large(status s) { return s == cudaErrorCooperativeLaunchTooLarge; }
inline bool is_kernel_failure(status s) {
  return s == cudaErrorIllegalAddress || s == cudaErrorLaunchFailure || s == cudaErrorAssert ||
         s == cudaErrorLaunchTimeout || s == cudaErrorIllegalInstruction || s == cudaErrorMisalignedAddress ||
         s == cudaErrorInvalidPc;
}
inline status take_last_error() { return cudaGetLastError(); }

inline status get_device_count(int* n) { return cudaGetDeviceCount(n); }
inline status get_device(int* index) { return cudaGetDevice(index); }
inline status set_device(int index) { return cudaSetDevice(index); }
inline status device_synchronize() { return cudaDeviceSynchronize(); }
inline status get_attribute(int* value, attribute a, int index) { return cudaDeviceGetAttribute(value, a, index); }
inline constexpr attribute attribute_wave_size = cudaDevAttrWarpSize;
inline constexpr attribute attribute_multiprocessors = cudaDevAttrMultiProcessorCount;
inline constexpr attribute attribute_max_threads = cudaDevAttrMaxThreadsPerBlock;
inline constexpr attribute attribute_shared_bytes = cudaDevAttrMaxSharedMemoryPerBlockOptin;
inline constexpr attribute attribute_cooperative = cudaDevAttrCooperativeLaunch;
inline constexpr attribute attribute_concurrent_managed = cudaDevAttrConcurrentManagedAccess;
inline constexpr attribute attribute_clock_khz = cudaDevAttrClockRate;

// %globaltimer counts nanoseconds.
inline double wall_clock_rate(int) { return 1e9; }

inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline void fill_names(int index, std::string& name, std::string& arch, std::string& driver, std::string& runtime) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, index) == cudaSuccess) {
    name = properties.name;
    arch = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
  }
  int version = 0;
  if (cudaDriverGetVersion(&version) == cudaSuccess) driver = "CUDA " + version_text(version);
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) runtime = "CUDA " + version_text(version);
}

// The address of mapped memory is the same on both sides: every 64-bit system has unified addressing.
inline status allocate(void** p, std::size_t bytes, memory_kind kind) {
  switch (kind) {
    case memory_kind::mapped: return cudaHostAlloc(p, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
    case memory_kind::managed: return cudaMallocManaged(p, bytes);
    case memory_kind::device:
    case memory_kind::fine: break;
  }
  return cudaMalloc(p, bytes);
}
inline status deallocate(void* p, memory_kind kind) {
  return kind == memory_kind::mapped ? cudaFreeHost(p) : cudaFree(p);
}

// Non-blocking: work of ours is never ordered by accident with what others put in the legacy default stream.
inline status stream_create(stream_handle* s) { return cudaStreamCreateWithFlags(s, cudaStreamNonBlocking); }
inline status stream_destroy(stream_handle s) { return cudaStreamDestroy(s); }
inline status stream_synchronize(stream_handle s) { return cudaStreamSynchronize(s); }

// The runtime sees from the addresses which way the bytes go.
inline status copy(void* to, void const* from, std::size_t bytes, stream_handle s) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s);
}
inline status fill(void* p, unsigned char value, std::size_t bytes, stream_handle s) {
  return cudaMemsetAsync(p, value, bytes, s);
}

// A device global, by the address of its shadow on the host.
inline status set_symbol(void const* symbol, void const* from, std::size_t bytes) {
  return cudaMemcpyToSymbol(symbol, from, bytes, 0, cudaMemcpyHostToDevice);
}

inline status event_create(event_handle* e) { return cudaEventCreate(e); }
inline status event_destroy(event_handle e) { return cudaEventDestroy(e); }
inline status event_record(event_handle e, stream_handle s) { return cudaEventRecord(e, s); }
inline status event_synchronize(event_handle e) { return cudaEventSynchronize(e); }
inline status event_elapsed(float* milliseconds, event_handle start, event_handle stop) {
  return cudaEventElapsedTime(milliseconds, start, stop);
}

inline status capture_begin(stream_handle s) { return cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); }
inline status capture_end(stream_handle s, graph_handle* result) {
  cudaGraph_t graph = nullptr;
  status r = cudaStreamEndCapture(s, &graph);
  if (r != cudaSuccess) return r;
  r = cudaGraphInstantiate(result, graph, 0);
  status const destroyed = cudaGraphDestroy(graph);
  return r != cudaSuccess ? r : destroyed;
}
inline status graph_launch(graph_handle g, stream_handle s) { return cudaGraphLaunch(g, s); }
inline status graph_destroy(graph_handle g) { return cudaGraphExecDestroy(g); }

// More than 48 KiB of dynamic shared memory must be asked for, kernel by kernel and for the whole process. Asked for
// once and to the full, so that a launch from another host thread can never lower what this one needs.
inline status allow_dynamic_shared(void const* kernel, std::size_t bytes) {
  if (bytes <= 48 * 1024) return cudaSuccess;
  cudaFuncAttributes attributes{};
  status s = cudaFuncGetAttributes(&attributes, kernel);
  if (s != cudaSuccess || static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes) >= bytes) return s;
  int device = 0, most = 0;
  if ((s = cudaGetDevice(&device)) != cudaSuccess) return s;
  if ((s = cudaDeviceGetAttribute(&most, attribute_shared_bytes, device)) != cudaSuccess) return s;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              most - static_cast<int>(attributes.sharedSizeBytes));
}

inline status occupancy(int* blocks, void const* kernel, int threads, std::size_t dynamic_shared_bytes) {
  status const s = allow_dynamic_shared(kernel, dynamic_shared_bytes);
  if (s != cudaSuccess) return s;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_shared_bytes);
}
// CUDA's own check of a cooperative launch uses the same number.
inline int trusted_occupancy(int blocks) { return blocks; }

// Eight is the portable maximum; more is a matter of the device and of the kernel's resources.
inline status max_blocks_per_cluster(unsigned* blocks, int index) {
  int has_clusters = 0;
  status const s = cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, index);
  *blocks = has_clusters != 0 ? 8 : 1;
  return s;
}

inline cudaLaunchAttribute cluster_attribute(unsigned blocks) {
  cudaLaunchAttribute a{};
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim.x = blocks;
  a.val.clusterDim.y = a.val.clusterDim.z = 1;
  return a;
}

// Code for an architecture without clusters, translated at load time for a device with them, would take its cluster
// for a single block.
inline status require_cluster_code(void const* kernel) {
  cudaFuncAttributes attributes{};
  status const s = cudaFuncGetAttributes(&attributes, kernel);
  if (s != cudaSuccess) return s;
  return attributes.ptxVersion >= 90 ? cudaSuccess : cudaErrorNotSupported;
}

inline status cluster_occupancy(int* clusters, void const* kernel, unsigned threads, std::size_t dynamic_shared_bytes,
                                unsigned blocks) {
  status const s = allow_dynamic_shared(kernel, dynamic_shared_bytes);
  if (s != cudaSuccess) return s;
  cudaLaunchAttribute attribute = cluster_attribute(blocks);
  cudaLaunchConfig_t config{};
  config.gridDim = ::dim3(blocks << 16);  // more than any device holds
  config.blockDim = ::dim3(threads);
  config.dynamicSmemBytes = dynamic_shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaOccupancyMaxActiveClusters(clusters, kernel, &config);
}

inline status launch_in_clusters(void const* kernel, launch_config const& config, bool cooperative, void** arguments,
                                 stream_handle s) {
  status const r = require_cluster_code(kernel);
  if (r != cudaSuccess) return r;
  cudaLaunchAttribute attributes[2] = {cluster_attribute(config.cluster), {}};
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = cooperative;
  cudaLaunchConfig_t native{};
  native.gridDim = ::dim3(config.grid.x, config.grid.y, config.grid.z);
  native.blockDim = ::dim3(config.block.x, config.block.y, config.block.z);
  native.dynamicSmemBytes = config.dynamic_shared_bytes;
  native.stream = s;
  native.attrs = attributes;
  native.numAttrs = 2;
  return cudaLaunchKernelExC(&native, kernel, arguments);
}

inline status launch(void const* kernel, launch_config const& config, bool cooperative, void** arguments,
                     stream_handle s) {
  status const r = allow_dynamic_shared(kernel, config.dynamic_shared_bytes);
  if (r != cudaSuccess) return r;
  if (config.cluster > 1) return launch_in_clusters(kernel, config, cooperative, arguments, s);
  ::dim3 const grid(config.grid.x, config.grid.y, config.grid.z), block(config.block.x, config.block.y, config.block.z);
  return cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, arguments, config.dynamic_shared_bytes, s)
                     : cudaLaunchKernel(kernel, grid, block, arguments, config.dynamic_shared_bytes, s);
}

}  // namespace backend::vendor
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
