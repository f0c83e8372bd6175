// Where a function is called from. Only the host backend looks at it: it tells lanes that are "here" from lanes that
// are elsewhere by the line of their call, which a GPU knows from the program counter.
#pragma once

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

struct call_site {
  char const* file;
  unsigned line;

  // To be the default argument of the function whose caller is wanted.
  FERMATA_FN static constexpr call_site here(char const* file = __builtin_FILE(),
                                             unsigned line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
