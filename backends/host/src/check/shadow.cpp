#include "shadow.hpp"

#include <algorithm>
#include <unordered_map>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

using page_map = std::unordered_map<std::uintptr_t, std::unique_ptr<shadow_page>>;
page_map& pages() {
  // Never destroyed: lanes may still run while the program ends.
  static auto& all = *new page_map;
  return all;
}

// Calls visit(page, at, count) for the part of the range in each page.
template <class Visitor>
void each_page(void const* memory, std::size_t count, Visitor visit) {
  auto address = reinterpret_cast<std::uintptr_t>(memory);
  while (count != 0) {
    std::size_t const at = address % shadow_page::bytes, here = std::min(count, shadow_page::bytes - at);
    visit(address, at, here);
    address += here;
    count -= here;
  }
}

template <class Bits>
void set(Bits& bits, std::size_t at, std::size_t count, bool value) noexcept {
  for (; count != 0 && at % 64 != 0; ++at, --count) {
    std::uint64_t const bit = std::uint64_t{1} << at % 64;
    bits[at / 64] = value ? bits[at / 64] | bit : bits[at / 64] & ~bit;
  }
  for (; count >= 64; at += 64, count -= 64) bits[at / 64] = value ? ~std::uint64_t{0} : 0;
  for (; count != 0; ++at, --count) {
    std::uint64_t const bit = std::uint64_t{1} << at % 64;
    bits[at / 64] = value ? bits[at / 64] | bit : bits[at / 64] & ~bit;
  }
}

// At most 64 bytes, as accesses are; they may lie across two words of bits.
template <class Bits>
bool any(Bits const& bits, std::size_t at, std::size_t count) noexcept {
  std::size_t const from = at % 64, here = std::min(count, 64 - from);
  std::uint64_t const mask = ~std::uint64_t{0} >> (64 - here);
  if ((bits[at / 64] >> from & mask) != 0) return true;
  return here != count && any(bits, at + here, count - here);
}

}  // namespace

word_shadow* shadow_page::words_of_new(std::uint64_t wanted) {
  if (!words_)
    words_ = std::make_unique<std::array<word_shadow, bytes / 4>>();
  else
    for (word_shadow& w : *words_) w.forget();
  generation_ = wanted;
  return words_->data();
}

bool shadow_page::any_unwritten(std::size_t at, std::size_t count) const noexcept {
  return any(marks_->unwritten, at, count);
}

bool shadow_page::any_forbidden(std::size_t at, std::size_t count) const noexcept {
  return any(marks_->forbidden, at, count);
}

void shadow_page::set_unwritten(std::size_t at, std::size_t count, bool value) {
  if (!marks_) {
    if (!value) return;
    marks_ = std::make_unique<marks>();
  }
  set(marks_->unwritten, at, count, value);
}

void shadow_page::set_forbidden(std::size_t at, std::size_t count, bool value) {
  if (!marks_) {
    if (!value) return;
    marks_ = std::make_unique<marks>();
  }
  set(marks_->forbidden, at, count, value);
}

shadow_page& find_page(std::uintptr_t number) {
  auto& page = pages()[number];
  if (!page) page = std::make_unique<shadow_page>();
  recent_pages[number % recent_pages.size()] = {number, page.get()};
  return *page;
}

shadow_page* known_page_of(std::uintptr_t address) noexcept {
  auto const found = pages().find(address / shadow_page::bytes);
  return found == pages().end() ? nullptr : found->second.get();
}

void mark_unwritten(void const* memory, std::size_t count, bool value) {
  each_page(memory, count, [&](std::uintptr_t address, std::size_t at, std::size_t here) {
    if (value)
      page_of(address).set_unwritten(at, here, true);
    else if (shadow_page* const page = known_page_of(address))
      page->set_unwritten(at, here, false);
  });
}

void mark_forbidden(void const* memory, std::size_t count, bool value) {
  each_page(memory, count, [&](std::uintptr_t address, std::size_t at, std::size_t here) {
    if (value)
      page_of(address).set_forbidden(at, here, true);
    else if (shadow_page* const page = known_page_of(address))
      page->set_forbidden(at, here, false);
  });
}

void mark_ignored(void const* memory, std::size_t count, bool value) {
  each_page(memory, count, [&](std::uintptr_t address, std::size_t, std::size_t) { page_of(address).ignored = value; });
}

void forget_accesses(void const* memory, std::size_t count) {
  each_page(memory, count, [&](std::uintptr_t address, std::size_t at, std::size_t here) {
    shadow_page* const page = known_page_of(address);
    if (page == nullptr || !page->accessed(current_generation)) return;
    if (here == shadow_page::bytes) return page->forget();
    word_shadow* const words = page->words(current_generation);
    for (std::size_t i = at / 4; i < (at + here + 3) / 4; ++i) words[i].forget();
  });
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
