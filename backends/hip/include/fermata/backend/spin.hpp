// HIP: when to look first. At once: nobody has measured a better moment on AMD hardware for this project.
#pragma once

#include <fermata/detail/generic/spin.hpp>
