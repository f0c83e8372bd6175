#include "stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "check/engine.hpp"
#include "check/checking.hpp"
#include "sanitizer.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

// Frames are larger under the sanitizer, and the checker looks up lines on the stack of the lane that is at fault.
// Only the pages that are touched cost memory.
constexpr std::size_t stack_bytes = sanitizer::enabled || checking ? 256 * 1024 : 64 * 1024;
constexpr unsigned stacks_a_slab = 64;

// Each guard page splits a mapping in two, and Linux allows a process 65,530 of them. Beyond this number only the
// lowest stack of a slab has a guard page below it.
constexpr unsigned most_guards = 12000;
std::atomic<unsigned> guards_made{0};

std::size_t page_bytes() noexcept {
  static std::size_t const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

stack_pool::~stack_pool() {
  for (slab const& s : slabs_) {
    // The pages may be handed out again as something else, which must not inherit our shadow.
    sanitizer::allow(s.memory, s.bytes);
    if constexpr (checking) check::stack_memory(s.memory, s.bytes, false);
    ::munmap(s.memory, s.bytes);
    guards_made.fetch_sub(s.guards, std::memory_order_relaxed);
  }
}

stack stack_pool::take() noexcept {
  if (free_.empty() && !add_slab()) return {};
  stack const s = free_.back();
  free_.pop_back();
  return s;
}

void stack_pool::give_back(stack const& s) noexcept {
  sanitizer::allow(s.bottom, s.bytes);
  free_.push_back(s);  // add_slab has reserved the room
}

bool stack_pool::add_slab() noexcept {
  std::size_t const page = page_bytes();
  std::size_t const stride = stack_bytes + page;
  std::size_t const bytes = stride * stacks_a_slab;
  try {
    free_.reserve((slabs_.size() + 1) * stacks_a_slab);
    slabs_.reserve(slabs_.size() + 1);
  } catch (...) {
    return false;
  }
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;

  auto* const base = static_cast<std::byte*>(memory);
  unsigned guards = 0;
  unsigned const wanted = guards_made.load(std::memory_order_relaxed) < most_guards ? stacks_a_slab : 1;
  while (guards < wanted && ::mprotect(base + guards * stride, page, PROT_NONE) == 0) ++guards;
  guards_made.fetch_add(guards, std::memory_order_relaxed);
  if (guards == 0) {
    ::munmap(memory, bytes);
    return false;
  }
  slabs_.push_back({memory, bytes, guards});
  if constexpr (checking) check::stack_memory(memory, bytes, true);
  for (unsigned i = stacks_a_slab; i-- > 0;) {
    // Without colours the hot ends of all stacks would compete for the same few sets of the caches.
    std::size_t const colour = i % 32 * 128;
    std::byte* const bottom = base + i * stride + page;
    free_.push_back({bottom, bottom + stack_bytes - colour, stack_bytes});
  }
  return true;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
