// The host half of the API: all of it compiles in a plain C++ translation unit of a CUDA or HIP project.
#pragma once

#include <fermata/buffer.hpp>
#include <fermata/device.hpp>
#include <fermata/error.hpp>
#include <fermata/graph.hpp>
#include <fermata/host_atomic.hpp>
#include <fermata/launch.hpp>
#include <fermata/memory_kind.hpp>
#include <fermata/stream.hpp>
#include <fermata/version.hpp>
