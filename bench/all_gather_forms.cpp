// All-gather through the exchange in other forms: without a fence for a bit of each value, and with a fence in every
// 63rd step and a ring of buffers for that. Polls of 16 bytes for values with their step, chunks on lines of their own
// and two copies of them were slower or no faster where they were measured, and have no rows.
#include "all_gather_exchange.hpp"

namespace bench {

void add_all_gather_form_rows(rig& r) {
  add_exchange_rows<fm::sense_bit_protocol>(r, "sense_bit");
  add_exchange_rows<fm::basic_sentinel_protocol<128, 63>>(r, "sentinel_long");
}

}  // namespace bench
