// CUDA: orders and scopes as PTX writes them, for asm statements: nvcc's constraint "C" puts a constant text into one.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <atomic>

#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// The order of a read-modify-write. That of a seq_cst one is acquire, behind a fence.sc.
template <std::memory_order O>
struct ptx_order {
  static constexpr char text[] = ".acquire";
};
template <>
struct ptx_order<std::memory_order_relaxed> {
  static constexpr char text[] = ".relaxed";
};
template <>
struct ptx_order<std::memory_order_release> {
  static constexpr char text[] = ".release";
};
template <>
struct ptx_order<std::memory_order_acq_rel> {
  static constexpr char text[] = ".acq_rel";
};

template <thread_scope S>
struct ptx_scope {
  static constexpr char text[] = ".cta";
};
template <>
struct ptx_scope<thread_scope::cluster> {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  static constexpr char text[] = ".gpu";
#else
  static constexpr char text[] = ".cluster";
#endif
};
template <>
struct ptx_scope<thread_scope::device> {
  static constexpr char text[] = ".gpu";
};
template <>
struct ptx_scope<thread_scope::system> {
  static constexpr char text[] = ".sys";
};

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
