// The shared memory of a block.
#pragma once

#include <cstddef>
#include <fermata/backend/kernel.hpp>
#include <fermata/detail/config.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// Static and dynamic together, of every block.
inline constexpr std::size_t shared_bytes_per_block = 64 * 1024;
// What uninitialised memory is filled with, shared and global alike, to be recognised.
inline constexpr unsigned char poison = 0xCB;

class shared_memory {
 public:
  shared_memory();
  ~shared_memory();
  shared_memory(shared_memory const&) = delete;
  shared_memory& operator=(shared_memory const&) = delete;

  // Forgets all variables and makes room for the dynamic part. Pre: dynamic_bytes <= shared_bytes_per_block.
  void reset(std::size_t dynamic_bytes, unsigned block);
  // The block has ended.
  void end() noexcept;
  void* dynamic() const noexcept { return memory_; }
  // The variable's memory, made when it is first asked for; null if there is no room left.
  void* find(shared_key const& key);
  std::size_t used() const noexcept { return used_; }

 private:
  std::byte* memory_;
  unsigned block_ = 0;  // whose it is
  std::size_t used_ = 0;
  // A kernel has a handful, so that a search from the start is the fastest.
  std::vector<std::pair<shared_key const*, void*>> variables_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
