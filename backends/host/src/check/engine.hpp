// The checker's view of what lanes do: the executor tells it of every event, in the order in which they happen. In
// check mode one worker runs all lanes, so that nothing here needs a lock but what host threads share with kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/backend/wave.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>
#include <string>
#include <vector>

#include "checking.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class block;
struct lane;
struct wave;
class launch_state;
struct cluster_state;

namespace check {

// Launches, blocks and lanes come and go.
void launch_begins(launch_state& launch);
void launch_ends(launch_state& launch);
void block_begins(block& b, unsigned number);
void block_ends(block& b);
void lane_returned(lane& self);

// Plain accesses, from the compiler's hooks. `pc` is where the access is.
void plain_access(lane& self, void const* p, std::size_t bytes, bool is_write, bool is_volatile, void const* pc);

// Atomic accesses of one word of at most 16 bytes. `observe` comes after the load of the newest value and may replace
// it by an older one that the memory model allows, too. `before_store` comes before the store, `modified` after a
// read-modify-write that has read the newest value. A failed compare-exchange is an `observe_newest`.
struct access {
  void const* address;
  unsigned bytes;
  thread_scope scope;
  std::memory_order order;
};
std::uint64_t observe(lane& self, access const& a, std::uint64_t newest);
void observe_newest(lane& self, access const& a, std::uint64_t newest);
void before_store(lane& self, access const& a, std::uint64_t old, std::uint64_t now);
void modified(lane& self, access const& a, std::uint64_t old, std::uint64_t now);
void fence(lane& self, thread_scope scope, std::memory_order order);
// The lane has not found what it waits for in the word.
void waits_for(lane& self, void const* address);

// A sentinel is about to be filled, or emptied.
void publishes(lane& self, void const* slot, std::uint64_t bits, std::uint64_t empty);
void rearms(lane& self, void const* slot);

// Barriers, when they are complete: everything before one happens before everything after it.
void block_synchronised(block& b);
// The split barrier orders what was before an arrival, not what is between it and the wait.
void arrived_at_split(lane& self);
void block_split_synchronised(block& b);
void grid_arrived(block& b);
void grid_left(block& b);
void cluster_arrived(block& b, cluster_state& c);
void cluster_left(block& b, cluster_state& c);
// The lanes `here` of the wave have done a wave operation together; `orders` if it orders memory (sync).
void wave_synchronised(wave& w, lane_word here, bool orders);

// Memory that kernels can reach. Shared memory begins uninitialised; what the host writes is initialised.
void allocated(void* memory, std::size_t bytes);
void deallocated(void* memory);
void written_by_host(void const* memory, std::size_t bytes);
void shared_memory_begins(void* memory, std::size_t capacity, std::size_t dynamic_bytes, unsigned block);
void shared_memory_ends(void* memory, std::size_t capacity);
void shared_variable_made(void* memory, std::size_t bytes, unsigned block);
void stack_memory(void* memory, std::size_t bytes, bool exists);

// The operation of the library that the lane is in, by the address it returns to. Between the other two the runtime
// acts for the lane: what it accesses is no access of the kernel.
void note_place(lane& self, void const* pc) noexcept;
// The basic block of the kernel that it is in, should it be in no operation for long.
void note_block(lane& self, void const* pc) noexcept;
void enter_runtime(lane& self) noexcept;
void leave_runtime(lane& self) noexcept;
bool inside_runtime(lane const& self) noexcept;
// Both, while the object lives; nothing without a lane, or without the checker.
class in_runtime {
 public:
  explicit in_runtime(lane* self) noexcept : self_(checking ? self : nullptr) {
    if constexpr (checking)
      if (self_ != nullptr) enter_runtime(*self_);
  }
  in_runtime(in_runtime const&) = delete;
  in_runtime& operator=(in_runtime const&) = delete;
  ~in_runtime() {
    if constexpr (checking)
      if (self_ != nullptr) leave_runtime(*self_);
  }

 private:
  lane* self_;
};

// Where a lane is: return addresses of its frames, innermost first.
std::vector<void const*> frames_of(lane const& l);

// The last stores to a word, oldest first, for reports of waits.
struct store_note {
  std::uint64_t value;
  bool by_host;  // or before the launch
  unsigned block, thread;
};
std::vector<store_note> stores_of(void const* address);
// The buffer or variable that holds the address, with the offset: "buffer of 1024 bytes + 16 (element 4 of 4 bytes)".
std::string name_of(void const* address, unsigned bytes);

}  // namespace check
}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
