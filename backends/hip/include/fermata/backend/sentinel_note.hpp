// Nothing to tell a checker on AMD.
#pragma once

#include <fermata/detail/gpu/sentinel_note.hpp>
