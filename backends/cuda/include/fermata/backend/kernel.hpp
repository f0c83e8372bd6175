// CUDA: how kernels are written; the text is the same as HIP's.
#pragma once

#include <fermata/detail/gpu/kernel.hpp>
