// A failed check of an assertions build, in a lane or on a host thread.
#include <cstdio>
#include <cstdlib>
#include <fermata/backend/check.hpp>

#include "block.hpp"
#include "fiber.hpp"
#include "lane.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

void fail_check(detail::failure what, detail::operation where, std::uint64_t expected, std::uint64_t actual) noexcept {
  lane* const self = current;
  if (self == nullptr) {
    // No launch to fail, and the callers are noexcept.
    detail::check_report const report{1, what, where, {0, 0, 0}, 0, 0, 0, expected, actual};
    std::fprintf(stderr, "fermata: outside of a kernel: %s\n", detail::describe(report).c_str());
    std::abort();
  }
  {
    dim3 const& block = self->home->index();
    detail::check_report const report{
        1,           what,     where, {block.x, block.y, block.z}, self->rank, self->rank / wave_size(),
        self->place, expected, actual};
    self->home->launch().fail(errc::assertion_failed, detail::describe(report));
  }
  self->home->abandon(*self);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
