// What is known of memory: for each word of 4 bytes who wrote and who read it last; for each byte whether anything has
// been written there, and whether it belongs to anything at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <memory>
#include <vector>

#include "clock.hpp"
#include "stacks.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// One access. `bytes` names those of the word's four that it touched.
struct record {
  node lane = nobody;
  tick when = 0;
  stack_id stack = no_stack;
  std::uint8_t bytes = 0;
  std::uint8_t size = 0;   // of the whole access
  std::uint8_t scope = 0;  // a thread_scope, if atomic
  bool atomic : 1 = false;
  bool volatile_access : 1 = false;
};

// The accesses to a word that the next one may race with. Most words have one writer and one reader at a time.
class word_shadow {
 public:
  record write;
  record read;
  // More of them: several readers, or bytes of the word with accesses of their own.
  struct crowd {
    std::vector<record> writes, reads;
    // Of the writes: all of them atomic, of one size, at least at this scope, and by lanes of one block (nobody:
    // several).
    bool alike = true;
    std::uint8_t size = 0, narrowest = 255;
    node block_nodes = nobody;
  };
  crowd* more() const noexcept { return more_.get(); }
  crowd& crowded() {
    if (!more_) more_ = std::make_unique<crowd>();
    return *more_;
  }
  // As if nobody had been here.
  void forget() noexcept {
    write = {};
    read = {};
    if (more_) more_.reset();
  }

 private:
  std::unique_ptr<crowd> more_;
};

class shadow_page {
 public:
  static constexpr std::size_t bytes = 4096;

  // Null until the page is first accessed; accesses of earlier runs are forgotten by then.
  word_shadow* words(std::uint64_t generation) {
    return generation_ == generation ? words_->data() : words_of_new(generation);
  }
  // Forgets the accesses to the whole page; it costs something where the page is accessed again.
  void forget() noexcept { generation_ = 0; }
  // Whether it has been accessed since.
  bool accessed(std::uint64_t generation) const noexcept { return generation_ == generation; }
  // Whether some bytes may be unwritten or forbidden. `at` and `count` within the page; never less than is true.
  bool suspicious(std::size_t at, std::size_t count) const noexcept {
    if (!marks_) return false;
    std::size_t const from = at % 64;
    if (from + count > 64) return true;
    std::uint64_t const marked = marks_->unwritten[at / 64] | marks_->forbidden[at / 64];
    return (marked >> from & ~std::uint64_t{0} >> (64 - count)) != 0;
  }
  // Bytes that nobody has written, and bytes that belong to nothing. Pre: suspicious.
  bool any_unwritten(std::size_t at, std::size_t count) const noexcept;
  bool any_forbidden(std::size_t at, std::size_t count) const noexcept;
  void set_unwritten(std::size_t at, std::size_t count, bool value);
  void set_forbidden(std::size_t at, std::size_t count, bool value);
  bool ignored = false;  // a stack

 private:
  using bits = std::array<std::uint64_t, bytes / 64>;
  struct marks {
    bits unwritten{}, forbidden{};
  };
  word_shadow* words_of_new(std::uint64_t generation);

  std::unique_ptr<marks> marks_;
  std::unique_ptr<std::array<word_shadow, bytes / 4>> words_;
  std::uint64_t generation_ = 0;
};

// Pages found lately.
struct recent_page {
  std::uintptr_t number = ~std::uintptr_t{0};
  shadow_page* page = nullptr;
};
inline std::array<recent_page, 1024> recent_pages;

// The page that holds the address; made when first asked for.
shadow_page& find_page(std::uintptr_t number);
inline shadow_page& page_of(std::uintptr_t address) {
  std::uintptr_t const number = address / shadow_page::bytes;
  recent_page const& r = recent_pages[number % recent_pages.size()];
  return r.number == number ? *r.page : find_page(number);
}
// As page_of, but null if nothing has asked for it before.
shadow_page* known_page_of(std::uintptr_t address) noexcept;

// For ranges of any length.
void mark_unwritten(void const* memory, std::size_t count, bool value);
void mark_forbidden(void const* memory, std::size_t count, bool value);
void mark_ignored(void const* memory, std::size_t count, bool value);
// Forgets the accesses to the range.
void forget_accesses(void const* memory, std::size_t count);

// Every access recorded before is of the past: no launch runs that could race with it.
inline std::uint64_t current_generation = 1;
inline void begin_generation() noexcept { ++current_generation; }
inline std::uint64_t generation() noexcept { return current_generation; }

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
