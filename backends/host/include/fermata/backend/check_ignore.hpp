// What the checker is not to count. Each lane has a list of them, innermost first, whose links lie in the objects.
#pragma once

#include <fermata/detail/config.hpp>
#include <fermata/finding_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

struct ignored_findings {
  finding_kind kind;
  char const* reason;
  ignored_findings const* outer;
};

void ignore_findings(ignored_findings& here, finding_kind kind, char const* reason) noexcept;
void heed_findings(ignored_findings& here) noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
