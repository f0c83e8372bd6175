// How the memory of an exchange is divided. Values travel in units, the piece that one poll loads.
#pragma once

#include <cstddef>

#include <fermata/detail/exchange/protocol.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// Every block owns the same number of units and at least one: observing all units of a step proves that every block
// has published it, which re-use of the buffers rests on. So the count is padded up to a whole number of units a block.
struct exchange_shape {
  unsigned units_per_block;
  unsigned units;
  unsigned chunk;     // units from the start of one block's chunk to that of the next
  std::size_t words;  // of the protocol, in all buffers and copies together
};

// The shape for `values` values and `blocks` blocks, at least one.
template <class T, class Protocol>
constexpr exchange_shape shape_of_exchange(unsigned blocks, unsigned values) noexcept {
  using codec = exchange_codec<T, Protocol>;
  using layout = typename Protocol::layout;
  unsigned const units = values / codec::values_per_unit + (values % codec::values_per_unit != 0);
  unsigned const per_block = units == 0 ? 1 : (units - 1) / blocks + 1;
  constexpr unsigned unit_bytes = sizeof(typename codec::unit);
  constexpr unsigned aligned = layout::chunk_alignment > unit_bytes ? layout::chunk_alignment / unit_bytes : 1;
  unsigned const chunk = (per_block + aligned - 1) / aligned * aligned;
  return {per_block, per_block * blocks, chunk,
          std::size_t{codec::values_per_unit} * codec::buffers * layout::replicas * chunk * blocks};
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
