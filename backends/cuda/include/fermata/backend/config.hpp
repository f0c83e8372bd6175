// CUDA: what the shared headers need to know. See include/fermata/detail/config.hpp.
#pragma once

#if defined(FERMATA_ENABLE_ASSERTIONS)
#define FERMATA_DETAIL_BACKEND cuda_backend_asserting
#else
#define FERMATA_DETAIL_BACKEND cuda_backend
#endif

#if defined(__CUDACC__)
#define FERMATA_DETAIL_DEVICE_COMPILER() 1
#define FERMATA_FN __host__ __device__
#define FERMATA_DEVICE __device__
#else
// A plain C++ translation unit: the host half only.
#define FERMATA_DETAIL_DEVICE_COMPILER() 0
#define FERMATA_FN
#define FERMATA_DEVICE
#endif
