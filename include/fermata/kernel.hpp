// Writing kernels.
//
//   FERMATA_KERNEL name(args…) { … }           a kernel; on a GPU `__global__ void name(args…)`
//   FERMATA_KERNEL_BOUNDS(threads[, blocks])   the same with launch bounds: the most threads a block has and,
//                                              if given, how many blocks a multiprocessor must be able to hold
//   FERMATA_DEVICE, FERMATA_FN                 a function for device code; for host and device
//   FERMATA_SHARED(name, type…);               an uninitialised variable of the block: FERMATA_SHARED(t, float[256]);
//   FERMATA_GLOBAL(name, type…);               at namespace scope: a zero-initialised variable of the device
//   dynamic_shared<T>()                        the launch's dynamic shared memory as a T*
//
// Shared and global variables are of trivial types on every backend: no constructor runs on a GPU.
// Kernel arguments are trivially copyable values.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/backend/kernel.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The start of the block's dynamic shared memory (launch_config::dynamic_shared_bytes), aligned to 16 bytes,
// uninitialised, the same for every thread and every T.
template <class T>
FERMATA_DEVICE T* dynamic_shared() noexcept {
  static_assert(alignof(T) <= 16,
                "fermata::dynamic_shared<T>: dynamic shared memory is aligned to 16 bytes on every "
                "backend. Align by hand, or declare FERMATA_SHARED.");
  return static_cast<T*>(backend::dynamic_shared_memory());
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
