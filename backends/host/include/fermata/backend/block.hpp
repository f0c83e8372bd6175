// Where the calling lane is, and the block barrier: a rendezvous of the block's lanes. All lanes of a block run on
// one thread of the machine, so that it orders their memory accesses by itself.
#pragma once

#include <fermata/detail/config.hpp>
#include <fermata/dim3.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

dim3 thread_index() noexcept;
dim3 block_index() noexcept;
dim3 block_dim() noexcept;
dim3 grid_dim() noexcept;
unsigned block_thread_rank() noexcept;
inline bool leads_block() noexcept { return block_thread_rank() == 0; }

void block_sync() noexcept;
unsigned block_sync_count(bool predicate) noexcept;
bool block_sync_and(bool predicate) noexcept;
bool block_sync_or(bool predicate) noexcept;

// The split barrier. As on the GPUs the wait does all the work; the arrival is kept to see that each has its wait.
void block_arrive() noexcept;
void block_wait() noexcept;

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
