// The memory that kernels can reach.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

enum class memory_of : unsigned char { buffer, shared_variable, dynamic_shared };

// Bytes on both sides of a buffer that belong to nothing, and a multiple of its alignment; between shared variables
// there are fewer.
inline constexpr std::size_t red_zone = 256;

// Takes note of what host threads have allocated, freed and written since. On the worker, before a launch begins.
void take_note_of_host();

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
