#include "stacks.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// Deeper frames say nothing new to somebody who looks for a line of a kernel.
constexpr std::size_t most_frames = 16;

struct recent {
  std::uint64_t key = 0;
  stack_id id = no_stack;
};
std::array<recent, 4096> recently_used;

std::vector<std::vector<void const*>>& stacks() {
  // Never destroyed: lanes may still run while the program ends.
  static auto& all = *new std::vector<std::vector<void const*>>(1);
  return all;
}

std::unordered_map<std::uint64_t, stack_id>& numbers() {
  static auto& all = *new std::unordered_map<std::uint64_t, stack_id>;
  return all;
}

}  // namespace

stack_id call_stack::at(void const* pc) const {
  std::uint64_t const key = (hash_ ^ reinterpret_cast<std::uintptr_t>(pc)) * 0xD1B54A32D192ED03ull;
  recent const& r = recently_used[key >> 52];
  return r.key == key && r.id != no_stack ? r.id : number_of(key, pc);
}

stack_id call_stack::number_of(std::uint64_t key, void const* pc) const {
  auto const [at, is_new] = numbers().try_emplace(key, static_cast<stack_id>(stacks().size()));
  if (is_new) stacks().push_back(frames(pc));
  recently_used[key >> 52] = {key, at->second};
  return at->second;
}

std::vector<void const*> call_stack::frames(void const* pc) const {
  std::vector<void const*> result;
  result.reserve(std::min(frames_.size() + 1, most_frames));
  result.push_back(pc);
  for (auto f = frames_.rbegin(); f != frames_.rend() && result.size() < most_frames; ++f) result.push_back(f->pc);
  return result;
}

std::vector<void const*> const& frames_of(stack_id id) noexcept { return stacks()[id]; }

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
