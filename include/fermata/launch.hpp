// Launching kernels, and how many blocks can wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <fermata/backend/runtime.hpp>
#include <fermata/device.hpp>
#include <fermata/launch_config.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace detail {

template <class... P>
constexpr void require_copyable() {
  static_assert((std::is_trivially_copyable_v<P> && ...),
                "fermata::launch: kernel arguments are copied as bytes on every backend, so they must be trivially "
                "copyable. Pass a pointer to device memory instead.");
}

inline void check_launch(device const& d, launch_config const& c) {
  constexpr std::uint64_t most = 0xFFFFFFFFu;
  auto const product = [](dim3 const& n) {
    return std::uint64_t{n.x} * n.y <= most ? std::uint64_t{n.x} * n.y * n.z : most + 1;
  };
  if (product(c.grid) > most || product(c.block) > most)
    throw error(errc::invalid_argument, "launch: the grid and the block must have fewer than 2^32 blocks and threads");
  if (c.grid.count() == 0 || c.block.count() == 0)
    throw error(errc::invalid_argument, "launch: the grid and the block must have at least one block and one thread");
  if (c.block.count() > d.info().max_threads_per_block)
    throw error(errc::invalid_argument, "launch: " + std::to_string(c.block.count()) + " threads a block; " + d.name() +
                                            " takes at most " + std::to_string(d.info().max_threads_per_block));
  if (c.dynamic_shared_bytes > d.info().shared_bytes_per_block)
    throw error(errc::invalid_argument, "launch: " + std::to_string(c.dynamic_shared_bytes) +
                                            " bytes of dynamic shared memory; " + d.name() + " has at most " +
                                            std::to_string(d.info().shared_bytes_per_block) + " a block");
}

}  // namespace detail

// How many blocks of this kernel, with so many threads and so much dynamic shared memory a block, are certain to
// be resident at once on the whole device: the largest grid that may use a grid barrier.
// On AMD one block a compute unit is held back where more than one fits, because the occupancy query has reported
// more than fit (ROCm/rocm-systems PR 10618). On the host backend FERMATA_HOST_RESIDENT_BLOCKS sets it.
template <class... P>
int max_resident_blocks(device const& d, void (*kernel)(P...), dim3 block, std::size_t dynamic_shared_bytes = 0) {
  return backend::max_resident_blocks(d.index(), reinterpret_cast<void const*>(kernel), block.count(),
                                      dynamic_shared_bytes);
}

// Queues the kernel in the stream. Arguments are converted to the kernel's parameter types and copied.
// Errors: errc::invalid_argument for a shape the device does not take; what the kernel itself does wrong surfaces
// at stream.synchronize().
template <class... P, class... A>
void launch(stream const& s, launch_config const& config, void (*kernel)(P...), A&&... args) {
  static_assert(sizeof...(P) == sizeof...(A),
                "fermata::launch: the number of arguments is not the kernel's number of parameters");
  detail::require_copyable<P...>();
  detail::check_launch(s.device(), config);
  backend::launch<P...>(s.device().index(), s.native(), config, false, kernel,
                        static_cast<P>(std::forward<A>(args))...);
}

// As launch, for a kernel whose blocks wait for each other: all of them are resident at once, or the launch is
// refused here, before it starts, with errc::too_many_blocks naming the requested and the possible number.
template <class... P, class... A>
void launch_cooperative(stream const& s, launch_config const& config, void (*kernel)(P...), A&&... args) {
  static_assert(sizeof...(P) == sizeof...(A),
                "fermata::launch_cooperative: the number of arguments is not the kernel's number of parameters");
  detail::require_copyable<P...>();
  device const& d = s.device();
  detail::check_launch(d, config);
  if (!d.info().cooperative_launch)
    throw error(errc::unsupported, "launch_cooperative: " + d.name() + " has no cooperative launch");
  int const possible = max_resident_blocks(d, kernel, config.block, config.dynamic_shared_bytes);
  if (config.grid.count() > static_cast<unsigned>(possible))
    throw error(errc::too_many_blocks,
                "launch_cooperative: " + std::to_string(config.grid.count()) + " blocks of " +
                    std::to_string(config.block.count()) + " threads and " +
                    std::to_string(config.dynamic_shared_bytes) + " dynamic shared bytes requested, but only " +
                    std::to_string(possible) + " can be resident at once on " + d.name() +
                    "; they would wait for blocks that never start. Launch at most max_resident_blocks() of them.");
  backend::launch<P...>(d.index(), s.native(), config, true, kernel, static_cast<P>(std::forward<A>(args))...);
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
