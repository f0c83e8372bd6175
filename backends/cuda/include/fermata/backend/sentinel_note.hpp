// Nothing to tell a checker on NVIDIA.
#pragma once

#include <fermata/detail/gpu/sentinel_note.hpp>
