// The names of operations, for those who report about them.
#pragma once

#include <cstdint>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// The operations that check, by the name their user wrote.
enum class operation : std::uint32_t {
  sync,
  any,
  all,
  ballot,
  shfl,
  shfl_up,
  shfl_down,
  shfl_xor,
  broadcast,
  match_any,
  match_all,
  reduce,
  inclusive_scan,
  exclusive_scan,
  block_sync,
  block_sync_count,
  block_sync_and,
  block_sync_or,
  atomic_ref
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
