// Where the memory of a buffer is, and who may look at it while a kernel runs.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// device   Memory of the device, for its kernels alone: the fastest, and what a buffer has unless it is told
//          otherwise. On AMD it is coarse-grained: the CPU and other devices see a kernel's writes, even those of
//          system-scope atomics, only after the kernel, and float read-modify-writes may use the native instruction.
//          (cudaMalloc, hipMalloc)
// fine     Memory of the device that system-scope atomics keep coherent with other devices while kernels run.
//          (hipExtMallocWithFlags(hipDeviceMallocFinegrained); CUDA's device memory always is, so cudaMalloc)
// mapped   Pinned memory of the CPU that kernels reach over the bus: for flags and small messages between a running
//          kernel and the CPU. Each access of a kernel crosses the bus.
//          (cudaHostAlloc(Portable | Mapped), hipHostMalloc(Portable | Mapped | Coherent))
// managed  Memory that moves to whoever uses it. Refused with errc::unsupported on a device that the CPU may not share
//          it with while a kernel runs. (cudaMallocManaged, hipMallocManaged)
//
// The host backend has one kind of memory, and gives the CPU what these rules give it and no more.
enum class memory_kind { device, fine, mapped, managed };

// Whether the CPU may read and write such memory itself, through buffer::host_data().
constexpr bool is_host_accessible(memory_kind kind) noexcept {
  return kind == memory_kind::mapped || kind == memory_kind::managed;
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
