// The kernels behind the shapes.
#pragma once

#include "plan.hpp"

namespace litmus {

// The kernel that runs programs of snippets, all of them at one scope.
playable accesses_at(reach scope);

// The same at device scope, with a pause of random length between the accesses of a thread.
playable paused_accesses();

}  // namespace litmus
