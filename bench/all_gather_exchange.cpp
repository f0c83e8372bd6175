// All-gather through the exchange: what the library chooses for a known number of values, and the protocols that it
// chooses from.
#include "all_gather_exchange.hpp"

namespace bench {
namespace {

// static says that a joined file does not hand it on to others (cmake/FermataKernels.cmake goes by the line alone).
template <unsigned Floats>
static void add_automatic_rows(rig& r) {
  using chosen = by_exchange<fm::default_exchange_protocol<float, Floats>>;
  add_all_gather_rows_of<chosen::template with>(r, "automatic", Floats);
}

}  // namespace

void add_all_gather_exchange_rows(rig& r) {
  add_automatic_rows<all_gather_floats[0]>(r);
  add_automatic_rows<all_gather_floats[1]>(r);
  add_automatic_rows<all_gather_floats[2]>(r);
  add_automatic_rows<all_gather_floats[3]>(r);
  add_exchange_rows<fm::flagged_protocol>(r, "flagged");
  add_exchange_rows<fm::long_sentinel_protocol>(r, "sentinel_long");
  add_all_gather_form_rows(r);
}

}  // namespace bench
