// All-gather through the exchange in other forms: the sentinel with the shorter ring, which the library takes where it
// does not know the number of values, and without a fence for a bit of each value. Polls of 16 bytes for values with
// their step, chunks on lines of their own and two copies of them were slower or no faster where they were measured,
// and have no rows.
#include "all_gather_exchange.hpp"

namespace bench {

void add_all_gather_form_rows(rig& r) {
  add_exchange_rows<fm::sentinel_protocol>(r, "sentinel");
  add_exchange_rows<fm::sense_bit_protocol>(r, "sense_bit");
}

}  // namespace bench
