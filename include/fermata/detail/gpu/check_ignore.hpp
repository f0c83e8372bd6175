// The checker is the host backend's; on a GPU there is nobody to tell.
#pragma once

#include <fermata/detail/config.hpp>
#include <fermata/finding_kind.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

struct ignored_findings {};

FERMATA_DEVICE inline void ignore_findings(ignored_findings&, finding_kind, char const*) noexcept {}
FERMATA_DEVICE inline void heed_findings(ignored_findings&) noexcept {}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
