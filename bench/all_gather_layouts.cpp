// All-gather through the exchange with few floats a block: each chunk on lines of its own, and two copies of it.
#include "all_gather_exchange.hpp"

namespace bench {

void add_all_gather_layout_rows(rig& r) {
  using padded = fm::exchange_layout<128>;
  using replicated = fm::exchange_layout<128, 2>;
  add_exchange_rows<fm::basic_sentinel_protocol<128, 63, padded>, 2112>(r, "sentinel_padded");
  add_exchange_rows<fm::basic_sentinel_protocol<128, 63, replicated>, 2112>(r, "sentinel_replicated");
  add_exchange_rows<fm::basic_sense_bit_protocol<2, padded>, 2112>(r, "sense_bit_padded");
  add_exchange_rows<fm::basic_sense_bit_protocol<2, replicated>, 2112>(r, "sense_bit_replicated");
  add_exchange_rows<fm::basic_flagged_protocol<2, padded>, 528>(r, "flagged_padded");
}

}  // namespace bench
