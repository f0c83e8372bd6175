// Where a lane is, its shared memory and its clocks.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fermata/backend/block.hpp>
#include <fermata/backend/clock.hpp>
#include <fermata/backend/kernel.hpp>
#include <fermata/backend/wave.hpp>

#include "block.hpp"
#include "check/scheduler.hpp"
#include "operation.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {
namespace host {

void called_outside_kernel(char const* operation) noexcept {
  // Device functions are noexcept, as on a GPU, where this would not compile.
  std::fprintf(stderr, "fermata: %s called outside a kernel\n", operation);
  std::abort();
}

void* shared_variable(shared_key const& key) noexcept {
  note_place();
  lane& self = inside_kernel("FERMATA_SHARED");
  return self.home->shared_variable(self, key);
}

}  // namespace host

dim3 thread_index() noexcept { return host::inside_kernel("thread_index()").index; }
dim3 block_index() noexcept { return host::inside_kernel("this_block().index()").home->index(); }
dim3 block_dim() noexcept { return host::inside_kernel("this_block().dim()").home->launch().request.config.block; }
dim3 grid_dim() noexcept { return host::inside_kernel("this_grid().dim()").home->launch().request.config.grid; }
unsigned block_thread_rank() noexcept { return host::inside_kernel("this_block().thread_rank()").rank; }

unsigned wave_size() noexcept { return host::inside_kernel("wave::size()").home->launch().how.wave_size; }
unsigned lane_id() noexcept { return host::inside_kernel("this_wave().lane()").place; }
unsigned live_lanes() noexcept { return host::inside_kernel("this_wave().live()").own_wave->lanes; }

void* dynamic_shared_memory() noexcept { return host::inside_kernel("dynamic_shared()").home->dynamic_shared_memory(); }

std::uint64_t wall_clock() noexcept {
  if (host::lane* const self = host::current) {
    self->reads.note_clock();
    host::give_way(*self);
    if constexpr (host::checking) return host::check::scheduler::instance().nanoseconds();
  }
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::uint64_t cycle_clock() noexcept { return wall_clock(); }

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
