// What is compared, through rocPRIM. Its reductions give the result to the first lane or thread alone, unless they are
// asked for all of the wave.
#include <hip/hip_runtime.h>

#include <rocprim/block/block_reduce.hpp>
#include <rocprim/block/block_scan.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/warp/warp_reduce.hpp>
#include <rocprim/warp/warp_scan.hpp>

#ifdef __GFX9__
constexpr unsigned width = 64;
#else
constexpr unsigned width = 32;
#endif

struct add {
  template <class T>
  __device__ T operator()(T const& a, T const& b) const {
    return a + b;
  }
};
struct least {
  template <class T>
  __device__ T operator()(T const& a, T const& b) const {
    return b < a ? b : a;
  }
};

__device__ bool is_first_lane() { return threadIdx.x % width == 0; }

template <class T, bool All, class Op>
__device__ T wave_reduce(T value, Op op) {
  using reduction = ::rocprim::warp_reduce<T, width, All>;
  __shared__ typename reduction::storage_type storage[256 / width];
  T result;
  reduction().reduce(value, result, storage[threadIdx.x / width], op);
  return result;
}
template <class T, class Op>
__device__ T wave_first(T value, Op op) {
  return wave_reduce<T, false>(value, op);
}
template <class T, class Op>
__device__ T wave_all(T value, Op op) {
  return wave_reduce<T, true>(value, op);
}
template <class T, class Op>
__device__ T wave_inclusive(T value, Op op) {
  using scan = ::rocprim::warp_scan<T, width>;
  __shared__ typename scan::storage_type storage[256 / width];
  T result;
  scan().inclusive_scan(value, result, storage[threadIdx.x / width], op);
  return result;
}
template <class T>
__device__ constexpr T identity(add) {
  return T{0};
}
template <class T>
__device__ constexpr T identity(least) {
  return ~T{0};
}
template <class T, class Op>
__device__ T wave_exclusive(T value, Op op) {
  using scan = ::rocprim::warp_scan<T, width>;
  __shared__ typename scan::storage_type storage[256 / width];
  T result;
  scan().exclusive_scan(value, result, identity<T>(op), storage[threadIdx.x / width], op);
  return result;
}

template <class T, class Op>
__device__ T block_first(T value, Op op) {
  using reduction = ::rocprim::block_reduce<T, 256>;
  __shared__ typename reduction::storage_type storage;
  T result;
  reduction().reduce(value, result, storage, op);
  return result;
}
template <class T, class Op>
__device__ T block_all(T value, Op op) {
  __shared__ T all;
  T const result = block_first(value, op);
  if (threadIdx.x == 0) all = result;
  __syncthreads();
  return all;
}
template <class T, class Op>
__device__ T block_inclusive(T value, Op op) {
  using scan = ::rocprim::block_scan<T, 256>;
  __shared__ typename scan::storage_type storage;
  T result;
  scan().inclusive_scan(value, result, storage, op);
  return result;
}
template <class T, class Op>
__device__ T block_exclusive(T value, Op op) {
  using scan = ::rocprim::block_scan<T, 256>;
  __shared__ typename scan::storage_type storage;
  T result;
  scan().exclusive_scan(value, result, identity<T>(op), storage, op);
  return result;
}

__device__ void before_anything() {}

#include "kernels.hpp"
