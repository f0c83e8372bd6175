// The HIP backend's answers to <fermata/detail/config.hpp>.
#pragma once

#if defined(FERMATA_ENABLE_ASSERTIONS)
#define FERMATA_DETAIL_BACKEND hip_backend_asserting
#else
#define FERMATA_DETAIL_BACKEND hip_backend
#endif

// clang and hipcc define __HIP__ in both passes of a file that they compile with -x hip, and only there.
#if defined(__HIP__)
#define FERMATA_DETAIL_DEVICE_COMPILER() 1
// The attributes behind __host__ and __device__, so that the small headers need none of HIP's.
#define FERMATA_FN __attribute__((host)) __attribute__((device))
#define FERMATA_DEVICE __attribute__((device))
#else
#define FERMATA_DETAIL_DEVICE_COMPILER() 0
#define FERMATA_FN
#define FERMATA_DEVICE
#endif
