// All-gather through the exchange: the protocols that deliver all bits, as they are.
#include "all_gather_exchange.hpp"

namespace bench {

void add_all_gather_exchange_rows(rig& r) {
  add_exchange_rows<fm::sentinel_protocol>(r, "sentinel");
  add_exchange_rows<fm::flagged_protocol>(r, "flagged");
  add_all_gather_form_rows(r);
}

}  // namespace bench
