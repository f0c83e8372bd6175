// What every other header needs to know of the chosen backend. The include path has already chosen it:
// <fermata/backend/config.hpp> is a different file for each backend, and defines
//
//   FERMATA_DETAIL_BACKEND            the inline namespace of this backend, so that two backends in one
//                                     program are different types and never a silent mix; a build with
//                                     FERMATA_ENABLE_ASSERTIONS has one of its own, for the same reason
//   FERMATA_DETAIL_DEVICE_COMPILER()  1 where device code can be compiled, 0 in a plain C++ translation
//                                     unit of a GPU project (which may use the host half of the API)
//   FERMATA_FN                        a function for host and device
//   FERMATA_DEVICE                    a function for device code only
#pragma once

#include <fermata/backend/config.hpp>

#if !defined(FERMATA_DETAIL_BACKEND)
#error "fermata: no backend on the include path. Link fermata::host, fermata::cuda or fermata::hip, or add -I backends/<backend>/include."
#endif
