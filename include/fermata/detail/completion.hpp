// The completion of a barrier that has none.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

struct no_completion {
  FERMATA_FN void operator()() const noexcept {}
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
