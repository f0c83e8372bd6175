// Atomics on 16-bit floats. A header of its own, which <fermata/atomic.hpp> and <fermata/fermata.hpp> leave out: the
// vendors' headers cost compile time.
//
//   half       CUDA: __half           HIP: __half
//   bfloat16   CUDA: __nv_bfloat16    HIP: hip_bfloat16
//
// atomic and atomic_ref take both, with load, store, exchange, compare_exchange, wait, fetch_add, fetch_sub, fetch_min
// and fetch_max. Sums round to nearest even and keep subnormals; minimum and maximum ignore a NaN operand and hold
// -0 < +0, as for float.
//
// The host backend has no such arithmetic: there both are opaque types of 16 bits, and fetch_add and fetch_sub are a
// compile error that says so. All else works there, too.
//
// Emits   CUDA: atom.add.noftz.f16, and .bf16 on sm_90; else, and on HIP, a loop around the compare-exchange of the
//         word that holds the two bytes (docs/atomics_table.md).
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <type_traits>

#include <fermata/atomic.hpp>
#include <fermata/backend/half.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The vendors' types are classes with a constructor, of which the language cannot tell that all their bits count.
template <>
struct is_padding_free<half> : std::true_type {};
template <>
struct is_padding_free<bfloat16> : std::true_type {};

namespace detail {

template <>
inline constexpr bool is_half<half> = true;
template <>
inline constexpr bool is_half<bfloat16> = true;

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
