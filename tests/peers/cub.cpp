// What is compared, through CUB. Its reductions give the result to the first lane or thread alone; what hands it to all
// is added by hand.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

using add = ::cuda::std::plus<>;
using least = ::cuda::minimum<>;

#ifndef PEERS_SCAN
#define PEERS_SCAN ::cub::BLOCK_SCAN_WARP_SCANS
#endif

__device__ bool is_first_lane() { return threadIdx.x % 32 == 0; }

template <class T, class Op>
__device__ T wave_first(T value, Op op) {
  using reduction = ::cub::WarpReduce<T>;
  __shared__ typename reduction::TempStorage storage[8];
  return reduction(storage[threadIdx.x / 32]).Reduce(value, op);
}
template <class T, class Op>
__device__ T wave_all(T value, Op op) {
  return __shfl_sync(0xFFFFFFFFu, wave_first(value, op), 0);
}
template <class T, class Op>
__device__ T wave_inclusive(T value, Op op) {
  using scan = ::cub::WarpScan<T>;
  __shared__ typename scan::TempStorage storage[8];
  T result;
  scan(storage[threadIdx.x / 32]).InclusiveScan(value, result, op);
  return result;
}
template <class T>
__device__ T wave_exclusive(T value, add) {
  using scan = ::cub::WarpScan<T>;
  __shared__ typename scan::TempStorage storage[8];
  T result;
  scan(storage[threadIdx.x / 32]).ExclusiveSum(value, result);
  return result;
}
template <class T>
__device__ T wave_exclusive(T value, least op) {
  using scan = ::cub::WarpScan<T>;
  __shared__ typename scan::TempStorage storage[8];
  T result;
  scan(storage[threadIdx.x / 32]).ExclusiveScan(value, result, ~T{0}, op);
  return result;
}

template <class T, class Op>
__device__ T block_first(T value, Op op) {
  using reduction = ::cub::BlockReduce<T, 256>;
  __shared__ typename reduction::TempStorage storage;
  return reduction(storage).Reduce(value, op);
}
// fermata's reduction may be called again at once, which needs a barrier after the last read; so does this one.
template <class T, class Op>
__device__ T block_all(T value, Op op) {
  __shared__ T all;
  T const result = block_first(value, op);
  if (threadIdx.x == 0) all = result;
  __syncthreads();
  return all;
}
template <class T>
using block_scan = ::cub::BlockScan<T, 256, PEERS_SCAN>;
template <class T, class Op>
__device__ T block_inclusive(T value, Op op) {
  __shared__ typename block_scan<T>::TempStorage storage;
  T result;
  block_scan<T>(storage).InclusiveScan(value, result, op);
  return result;
}
template <class T>
__device__ T block_exclusive(T value, add) {
  __shared__ typename block_scan<T>::TempStorage storage;
  T result;
  block_scan<T>(storage).ExclusiveSum(value, result);
  return result;
}
template <class T>
__device__ T block_exclusive(T value, least op) {
  __shared__ typename block_scan<T>::TempStorage storage;
  T result;
  block_scan<T>(storage).ExclusiveScan(value, result, ~T{0}, op);
  return result;
}

__device__ void before_anything() {}

#include "kernels.hpp"
