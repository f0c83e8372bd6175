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
#include <fermata/require_wave.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace detail {

template <class... P>
constexpr void require_copyable() {
  static_assert((std::is_trivially_copyable_v<P> && ...),
                "fermata::launch: kernel arguments are copied as bytes on every backend, so they must be trivially "
                "copyable. Pass a pointer to device memory instead.");
}

// Eight is the largest cluster that every device with clusters takes.
inline void check_cluster(device const& d, unsigned cluster) {
  unsigned const most = d.info().max_blocks_per_cluster;
  if (cluster == 0)
    throw error(errc::invalid_argument, "launch: a cluster has at least one block");
  if (cluster > most && most == 1)
    throw error(errc::unsupported, "launch: clusters of " + std::to_string(cluster) + " blocks; " + d.name() +
                                       " has no clusters. Launch with cluster = 1: this_cluster().size() is then 1, "
                                       "and a kernel written for any size of cluster runs as it is.");
  if (cluster > most)
    throw error(errc::invalid_argument, "launch: clusters of " + std::to_string(cluster) +
                                            " blocks; fermata takes at most " + std::to_string(most) +
                                            ", what every device with clusters can hold");
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
  check_cluster(d, c.cluster);
  if (c.grid.x % c.cluster != 0)
    throw error(errc::invalid_argument, "launch: " + std::to_string(c.grid.x) +
                                            " blocks in x are no whole number of clusters of " +
                                            std::to_string(c.cluster) + "; a cluster is made of neighbours in x");
}

// A kernel that needs waves of one width; see FERMATA_REQUIRE_WAVE.
inline void check_wave(device const& d, void const* kernel) {
  auto const needs = wave_requirements::instance().find(kernel);
  if (needs && needs->width != d.wave_size())
    throw error(errc::unsupported, "launch: the kernel " + needs->kernel + " needs waves of " +
                                       std::to_string(needs->width) + " lanes (FERMATA_REQUIRE_WAVE), and those of " +
                                       d.name() + " have " + std::to_string(d.wave_size()) +
                                       ". Launch it on another device, or write it for any wave::size().");
}

}  // namespace detail

// How many blocks of this kernel, with so many threads and so much dynamic shared memory a block, are certain to
// be resident at once on the whole device: the largest grid that may use a grid barrier.
// On AMD one block a compute unit is held back where more than one fits, because the occupancy query has reported
// more than fit (ROCm/rocm-systems PR 10618). On the host backend FERMATA_HOST_RESIDENT_BLOCKS sets it.
// In clusters of more than one block only whole ones count.
template <class... P>
int max_resident_blocks(device const& d, void (*kernel)(P...), dim3 block, std::size_t dynamic_shared_bytes = 0,
                        unsigned cluster = 1) {
  detail::check_cluster(d, cluster);
  return backend::max_resident_blocks(d.index(), reinterpret_cast<void const*>(kernel), block.count(),
                                      dynamic_shared_bytes, cluster);
}

// Queues the kernel in the stream. Arguments are converted to the kernel's parameter types and copied.
// Errors: errc::invalid_argument for a shape the device does not take, errc::unsupported for clusters where the device
// has none and for a kernel that needs waves of another width (FERMATA_REQUIRE_WAVE); what the kernel itself does wrong
// surfaces at stream.synchronize().
template <class... P, class... A>
void launch(stream const& s, launch_config const& config, void (*kernel)(P...), A&&... args) {
  static_assert(sizeof...(P) == sizeof...(A),
                "fermata::launch: the number of arguments is not the kernel's number of parameters");
  detail::require_copyable<P...>();
  detail::check_launch(s.device(), config);
  detail::check_wave(s.device(), reinterpret_cast<void const*>(kernel));
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
  detail::check_wave(d, reinterpret_cast<void const*>(kernel));
  if (!d.info().cooperative_launch)
    throw error(errc::unsupported, "launch_cooperative: " + d.name() + " has no cooperative launch");
  int const possible = max_resident_blocks(d, kernel, config.block, config.dynamic_shared_bytes, config.cluster);
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
