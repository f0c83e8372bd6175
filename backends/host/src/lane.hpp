// A lane: one thread of a kernel, run as a fiber.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/backend/check_ignore.hpp>
#include <fermata/backend/wave.hpp>
#include <fermata/detail/call_site.hpp>
#include <fermata/detail/config.hpp>
#include <fermata/dim3.hpp>
#include <fermata/scope.hpp>

#include "reads.hpp"
#include "stack.hpp"
#include "stack_switch.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

class block;
struct wave;

namespace check {
struct lane_record;
}

enum class lane_state : unsigned char {
  runnable,   // in its block's queue
  watching,   // in the queue, too: waits for a word to change, which the scheduler looks at in its stead
  in_wave,    // waits in a wave operation
  asking,     // waits to hear which lanes are here with it
  in_block,   // waits at a barrier of the block or of the grid
  returned,   // has left the kernel
  abandoned,  // has failed; never resumed
};

// What a lane that does not get on waits for, from what is sure to what may yet end.
enum class wait_kind : unsigned char {
  in_executor,  // in an operation that ends it when another lane does its part
  in_loop,      // in a loop of the kernel's own that repeats its reads
  for_host,     // for what need not come from a lane: a system-scope word, a clock
};

// The word that a watching lane waits for.
struct watched_word {
  void const* address;
  std::uint64_t seen;
  unsigned char bytes;
  thread_scope scope;
  bool changed() const noexcept;
};

// The barrier at which a lane has arrived and for which it has not waited yet.
enum class split_barrier : unsigned char { none, block, cluster };

// The barrier with storage that a lane waits for in arrive_and_wait().
struct meeting {
  void const* barrier = nullptr;  // null: none
  std::uint32_t phase = 0;
  detail::call_site site{};
};

enum class wave_operation : unsigned char { sync, any, all, ballot, match_any, match_all, shuffle, fold };

// What a lane brings to a wave operation, and what it takes home.
struct wave_request {
  lane_word members;  // the lanes that take part
  wave_operation operation;
  shuffle how;
  bool predicate;
  unsigned argument;
  std::size_t bytes;
  void* value;
  void* result;
  fold_function fold;
  void const* fold_operation;
  detail::call_site site;  // of a lane that asks who is here
  lane_word ballot;        // the result of sync, the votes, matches, and of asking
};

// What every switch touches comes first, and lies in one line of the cache.
struct alignas(64) lane {
  resume_point context;  // where it goes on when it is resumed; none before it has started
  block* home = nullptr;
  lane_state state = lane_state::runnable;
  split_barrier arrived = split_barrier::none;
  bool suspect = false;        // let others run because it repeats a read
  bool predicate = false;      // brought to a block barrier …
  unsigned result = 0;         // … and what came of it
  std::uint32_t patience = 0;  // operations until it lets others run
  unsigned rank = 0;           // in the block
  read_history reads;          // its first members
  // The others.
  wave* own_wave = nullptr;
  unsigned place = 0;  // in the wave
  dim3 index;          // in the block
  host::stack stack;
  void* fake_stack = nullptr;  // of the address sanitizer
  check::lane_record* checked = nullptr;  // what the checker keeps of it
  watched_word watched{};
  host::meeting meeting;
  wave_request request{};
  // In check mode: basic blocks until it lets others run; turns in a row without an operation; its rank under pct; and
  // what is not to be told of it.
  std::uint32_t blocks_left = 0, turns_without_operation = 0;
  std::uint64_t priority = 0;
  ignored_findings const* ignored = nullptr;
};

// Operations that a lane does in a row before others get their turn, whatever it does.
inline constexpr std::uint32_t patience_of_a_lane = 64;

// The lane that runs on this thread; null on a thread of the host. A block stays on one thread, so that a compiler
// that keeps the address of this variable over a switch is right. It is found without a call, also in a shared library:
// every operation begins with it, and a call would make each of them save its registers.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local lane* current;

// The current lane, for operations that exist in kernels only. Ends the program if there is none.
[[noreturn, gnu::cold]] void called_outside_kernel(char const* operation) noexcept;
inline lane& inside_kernel(char const* operation) noexcept {
  if (current == nullptr) called_outside_kernel(operation);
  return *current;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
