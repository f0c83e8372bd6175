// CUDA: the host half. The text is the same as HIP's.
#pragma once

#include <fermata/detail/gpu/runtime.hpp>
