// host: when to look first. At once: a poll that fails hands the processor to another lane.
#pragma once

#include <fermata/detail/generic/spin.hpp>
