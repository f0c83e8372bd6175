// AMD: no barrier with storage in hardware. Atomics on a word in shared or global memory.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <fermata/detail/generic/barrier.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// Where a wave arrives as a whole, the compiler adds up its lanes' arrivals and one lane makes them; all lanes poll one
// address, which is one access.
template <thread_scope S, class Completion>
using barrier_form = detail::generic::phase_barrier<S, Completion>;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
