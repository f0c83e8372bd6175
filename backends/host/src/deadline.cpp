// How a lane ends its launch on behalf of a header: a missed deadline of a grid barrier.
#include <fermata/backend/grid.hpp>

#include "block.hpp"
#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

void fail_launch(errc code, char const* message) noexcept {
  inside_kernel("a grid barrier").home->launch().fail(code, message);
}

void abandon_lane() noexcept {
  lane& self = inside_kernel("a grid barrier");
  self.home->abandon(self);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
