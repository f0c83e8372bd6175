// Nothing to tell a checker on NVIDIA.
#pragma once

#include <fermata/detail/gpu/check_ignore.hpp>
