// All-gather through the exchange in other forms: without a fence for a bit of each value, with a fence in every 63rd
// or 3rd step and rings of buffers for that, and with values and steps in polls of 16 bytes.
#include "all_gather_exchange.hpp"

namespace bench {

void add_all_gather_form_rows(rig& r) {
  add_exchange_rows<fm::sense_bit_protocol>(r, "sense_bit");
  add_exchange_rows<fm::basic_sentinel_protocol<128, 63>>(r, "sentinel_long");
  add_exchange_rows<fm::basic_sentinel_protocol<8, 3>, 2112>(r, "sentinel_short");
  add_exchange_rows<fm::basic_flagged_protocol<2>>(r, "flagged_wide");
}

}  // namespace bench
