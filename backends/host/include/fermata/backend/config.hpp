// The host backend: a GPU made of fibers. Chosen by being on the include path; see <fermata/detail/config.hpp>.
#pragma once

// Builds that do not mix have types of their own.
#if defined(FERMATA_CHECK) && defined(FERMATA_ENABLE_ASSERTIONS)
#define FERMATA_DETAIL_BACKEND host_backend_checked_asserting
#elif defined(FERMATA_CHECK)
#define FERMATA_DETAIL_BACKEND host_backend_checked
#elif defined(FERMATA_ENABLE_ASSERTIONS)
#define FERMATA_DETAIL_BACKEND host_backend_asserting
#else
#define FERMATA_DETAIL_BACKEND host_backend
#endif

// Every C++20 compiler compiles kernels for the host, and every function is for host and device alike.
#define FERMATA_DETAIL_DEVICE_COMPILER() 1
#define FERMATA_FN
#define FERMATA_DEVICE
