#include "shared_memory.hpp"

#include <cstring>
#include <new>

#include "check/engine.hpp"
#include "check/checking.hpp"
#include "sanitizer.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

constexpr std::align_val_t alignment{4096};
// Between variables where somebody watches, who then sees an index beyond the end of one.
constexpr std::size_t gap = sanitizer::enabled || checking ? 32 : 0;
constexpr std::size_t capacity = shared_bytes_per_block + (gap != 0 ? 8192 : 0);

}  // namespace

shared_memory::shared_memory() : memory_(static_cast<std::byte*>(::operator new(capacity, alignment))) {}

shared_memory::~shared_memory() {
  sanitizer::allow(memory_, capacity);
  ::operator delete(memory_, alignment);
}

void shared_memory::reset(std::size_t dynamic_bytes, unsigned block) {
  block_ = block;
  variables_.clear();
  sanitizer::allow(memory_, capacity);
  std::memset(memory_, poison, dynamic_bytes);
  sanitizer::forbid(memory_ + dynamic_bytes, capacity - dynamic_bytes);
  used_ = dynamic_bytes;
  if constexpr (checking) check::shared_memory_begins(memory_, capacity, dynamic_bytes, block);
}

void shared_memory::end() noexcept {
  if constexpr (checking) check::shared_memory_ends(memory_, capacity);
}

void* shared_memory::find(shared_key const& key) {
  for (auto const& [known, memory] : variables_)
    if (known == &key) return memory;
  std::size_t const start = (used_ + gap + key.alignment - 1) / key.alignment * key.alignment;
  std::size_t const gaps = gap * (variables_.size() + 1);
  if (start + key.bytes > shared_bytes_per_block + gaps || start + key.bytes > capacity) return nullptr;
  void* const memory = memory_ + start;
  variables_.emplace_back(&key, memory);
  used_ = start + key.bytes;
  sanitizer::allow(memory, key.bytes);
  std::memset(memory, poison, key.bytes);
  if constexpr (checking) check::shared_variable_made(memory, key.bytes, block_);
  return memory;
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
