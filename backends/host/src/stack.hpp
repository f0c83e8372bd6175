// Stacks for lanes, made in slabs and recycled: a lane borrows one when it first runs and gives it back when it has
// returned, so that lanes that never wait share one warm stack.
#pragma once

#include <cstddef>
#include <fermata/detail/config.hpp>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

struct stack {
  std::byte* bottom = nullptr;  // the lowest usable byte
  std::byte* top = nullptr;     // where the first frame goes: below the end of the stack, coloured (see stack.cpp)
  std::size_t bytes = 0;        // from bottom to the end
  explicit operator bool() const noexcept { return bottom != nullptr; }
};

// One per worker, so without locks. Keeps what it has made until it dies.
class stack_pool {
 public:
  stack_pool() = default;
  stack_pool(stack_pool const&) = delete;
  stack_pool& operator=(stack_pool const&) = delete;
  ~stack_pool();

  // An empty stack if the machine has no memory left.
  stack take() noexcept;
  // Frames that were abandoned on the stack are forgotten.
  void give_back(stack const& s) noexcept;

 private:
  struct slab {
    void* memory;
    std::size_t bytes;
    unsigned guards;
  };
  bool add_slab() noexcept;

  std::vector<stack> free_;
  std::vector<slab> slabs_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
