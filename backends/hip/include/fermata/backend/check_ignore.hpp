// Nothing to tell a checker on AMD.
#pragma once

#include <fermata/detail/gpu/check_ignore.hpp>
