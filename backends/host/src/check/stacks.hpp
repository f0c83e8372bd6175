// Call stacks by number: the return addresses of a lane's frames, kept once.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

using stack_id = std::uint32_t;
inline constexpr stack_id no_stack = 0;

// The frames that a lane is in, as the compiler's hooks tell. `hash` is that of all of them.
class call_stack {
 public:
  void enter(void const* pc) {
    frames_.push_back({pc, hash_});
    hash_ = (hash_ ^ reinterpret_cast<std::uintptr_t>(pc)) * 0x9E3779B97F4A7C15ull;
  }
  void leave() noexcept {
    if (frames_.empty()) return;
    hash_ = frames_.back().hash_before;
    frames_.pop_back();
  }
  // The number of this stack with one more frame, where the lane is now.
  stack_id at(void const* pc) const;
  // Innermost first.
  std::vector<void const*> frames(void const* pc) const;
  // None, in the memory of this one.
  call_stack emptied() noexcept {
    call_stack result;
    frames_.clear();
    result.frames_ = std::move(frames_);
    return result;
  }

 private:
  [[gnu::noinline]] stack_id number_of(std::uint64_t key, void const* pc) const;

  struct frame {
    void const* pc;
    std::uint64_t hash_before;
  };
  std::vector<frame> frames_;
  std::uint64_t hash_ = 0;
};

// Return addresses, innermost first.
std::vector<void const*> const& frames_of(stack_id id) noexcept;

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
