// How kernels are written on a GPU: CUDA and HIP share the words.
#pragma once

#include <type_traits>

#include <fermata/detail/device_code.hpp>
#include <fermata/detail/no_constructor.hpp>

#define FERMATA_KERNEL __global__ void
#define FERMATA_KERNEL_BOUNDS(...) __global__ void __launch_bounds__(__VA_ARGS__)

// type_identity_t gives arrays a name: FERMATA_SHARED(tile, float[256]) is float tile[256].
#define FERMATA_SHARED(name, ...)                                           \
  static_assert(::fermata::detail::needs_no_constructor<__VA_ARGS__>,       \
                "FERMATA_SHARED: no constructor runs for shared memory; the " \
                "type must be trivial on every backend");                   \
  __shared__ std::type_identity_t<__VA_ARGS__> name
#define FERMATA_GLOBAL(name, ...)                                            \
  static_assert(::fermata::detail::needs_no_constructor<__VA_ARGS__>,        \
                "FERMATA_GLOBAL: no constructor runs for device globals; the " \
                "type must be trivial on every backend");                    \
  __device__ std::type_identity_t<__VA_ARGS__> name

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

FERMATA_DEVICE inline void* dynamic_shared_memory() noexcept {
  extern __shared__ __align__(16) unsigned char fermata_dynamic_shared[];
  return fermata_dynamic_shared;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
