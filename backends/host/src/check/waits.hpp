// Waits for a store by another lane of the same wave, which may keep that lane from it.
#pragma once

#include <fermata/detail/config.hpp>

#include <span>

#include "records.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// So many equal reads of a word are a wait.
inline constexpr unsigned enough_polls = 3;

// The lane has read what the store left in the word, in an operation that only reads, or in one that stores, too.
void look_for_wait(lane_record& r, sync_word& w, store_record const& s, stack_id place, bool only_reads = true);
// The lane will not come any more to where others have waited for its store.
void report_waits_for_returned(lane_record const& r);
// The same of all lanes of a block, which have met at a barrier.
void report_waits_for_block(std::span<lane_record const> lanes);
void forget_suspected_waits() noexcept;

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
