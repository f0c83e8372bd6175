// HIP: the host half. The text is the same as CUDA's.
#pragma once

#include <fermata/detail/gpu/runtime.hpp>
