// A buffer is polled again while its emptying may not be seen yet.
// EXPECT: fermata::basic_sentinel_protocol: a buffer would be polled again before its emptying is ordered
#include <fermata/exchange.hpp>
#include <fermata/kernel.hpp>

namespace fm = fermata;

FERMATA_KERNEL kernel(fm::exchange<float, fm::basic_sentinel_protocol<16, 15>> all) { all.open().advance(); }
