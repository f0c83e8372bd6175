// How a lane ends its launch on behalf of a header: a missed deadline of a grid barrier.
#include <fermata/backend/grid.hpp>
#include <fermata/error.hpp>
#include <string>

#include "block.hpp"
#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

void fail_deadline(detail::deadline_report const* report) noexcept {
  host::lane& self = host::inside_kernel("a grid barrier");
  {
    // Gone before the lane is: nothing on its stack is destroyed. No other lane gets its turn meanwhile: it could want
    // the same lock.
    host::check::in_runtime const keeps_its_turn(&self);
    std::string const text = detail::deadline_reports::instance().text_of(report);
    self.home->launch().fail(errc::deadline_missed, text);
  }
  self.home->abandon(self);
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
