// What a lane does not want to hear of.
#include <fermata/backend/check_ignore.hpp>

#include "check/checking.hpp"
#include "lane.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

void ignore_findings(ignored_findings& here, finding_kind kind, char const* reason) noexcept {
  here = {kind, reason, nullptr};
  if (!host::checking || host::current == nullptr) return;
  here.outer = host::current->ignored;
  host::current->ignored = &here;
}

void heed_findings(ignored_findings& here) noexcept {
  if (host::checking && host::current != nullptr) host::current->ignored = here.outer;
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
