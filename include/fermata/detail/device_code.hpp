// Included first by every header that holds device code: a wrong compiler gets one clear message.
#pragma once

#include <fermata/detail/config.hpp>

#if !FERMATA_DETAIL_DEVICE_COMPILER()
#error "fermata: this header holds device code; compile the file with the backend's device compiler (nvcc for CUDA, clang or hipcc with -x hip for HIP). Plain C++ files may include <fermata/runtime.hpp>."
#endif
