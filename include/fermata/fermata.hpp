// All of fermata. Each header stands alone, too.
#pragma once

#include <fermata/atomic.hpp>
#include <fermata/block.hpp>
#include <fermata/buffer.hpp>
#include <fermata/clock.hpp>
#include <fermata/device.hpp>
#include <fermata/error.hpp>
#include <fermata/fence.hpp>
#include <fermata/flagged.hpp>
#include <fermata/functional.hpp>
#include <fermata/graph.hpp>
#include <fermata/grid.hpp>
#include <fermata/kernel.hpp>
#include <fermata/lane_mask.hpp>
#include <fermata/launch.hpp>
#include <fermata/scope.hpp>
#include <fermata/sentinel.hpp>
#include <fermata/stream.hpp>
#include <fermata/version.hpp>
#include <fermata/wave.hpp>
