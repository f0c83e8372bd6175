// The host backend: a GPU made of fibers. Chosen by being on the include path; see <fermata/detail/config.hpp>.
#pragma once

#define FERMATA_DETAIL_BACKEND host_backend

// Every C++20 compiler compiles kernels for the host, and every function is for host and device alike.
#define FERMATA_DETAIL_DEVICE_COMPILER() 1
#define FERMATA_FN
#define FERMATA_DEVICE
