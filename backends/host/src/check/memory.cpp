// Which memory there is, by name, and accesses beside it or before anything has been written there.
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "../shared_memory.hpp"
#include "engine.hpp"
#include "memory.hpp"
#include "races.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

struct region {
  std::size_t bytes;
  memory_of what;
  unsigned block;  // of shared memory
};

// By the first address. Never destroyed: lanes may still run while the program ends.
std::map<std::uintptr_t, region>& regions() {
  static auto& all = *new std::map<std::uintptr_t, region>;
  return all;
}

// A read of shared memory that nobody has written so far.
struct early_read {
  raw_place where;
  unsigned bytes;
  node reader;
};
std::map<std::uintptr_t, early_read>& early_reads() {
  static auto& all = *new std::map<std::uintptr_t, early_read>;
  return all;
}

// What host threads do to memory while a kernel runs, until the worker takes note of it.
struct host_event {
  enum class kind : unsigned char { allocated, deallocated, written } what;
  void* memory;
  std::size_t bytes;
};
std::mutex& event_mutex() {
  static auto& m = *new std::mutex;
  return m;
}
std::vector<host_event>& events() {
  static auto& all = *new std::vector<host_event>;
  return all;
}

void tell(host_event e) {
  std::lock_guard const lock(event_mutex());
  events().push_back(e);
}

std::uintptr_t number(void const* p) noexcept { return reinterpret_cast<std::uintptr_t>(p); }

void add(void* memory, region r) {
  auto const first = number(memory);
  auto at = regions().lower_bound(first);
  while (at != regions().end() && at->first < first + r.bytes) at = regions().erase(at);
  regions().emplace(first, r);
}

// The region that the address lies in, or the nearest one within a red zone of it.
std::pair<std::uintptr_t, region> const* nearest(std::uintptr_t address) {
  static thread_local std::pair<std::uintptr_t, region> result;
  auto const next = regions().upper_bound(address);
  if (next != regions().begin()) {
    auto const before = std::prev(next);
    if (address - before->first < before->second.bytes + red_zone) {
      result = *before;
      return &result;
    }
  }
  if (next != regions().end() && next->first - address <= red_zone) {
    result = *next;
    return &result;
  }
  return nullptr;
}

std::string text(region const& r) {
  switch (r.what) {
    case memory_of::buffer:
      return "a buffer of " + std::to_string(r.bytes) + " bytes";
    case memory_of::shared_variable:
      return "a shared variable of " + std::to_string(r.bytes) + " bytes of block " + std::to_string(r.block);
    case memory_of::dynamic_shared:
      break;
  }
  return "the dynamic shared memory of " + std::to_string(r.bytes) + " bytes of block " + std::to_string(r.block);
}

// The host may write to memory that it sees without anybody being told.
bool looks_unwritten(std::uintptr_t address, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i)
    if (reinterpret_cast<unsigned char const*>(address)[i] != poison) return false;
  return true;
}

}  // namespace

void allocated(void* memory, std::size_t bytes) { tell({host_event::kind::allocated, memory, bytes}); }
void deallocated(void* memory) { tell({host_event::kind::deallocated, memory, 0}); }
void written_by_host(void const* memory, std::size_t bytes) {
  tell({host_event::kind::written, const_cast<void*>(memory), bytes});
}

void take_note_of_host() {
  std::vector<host_event> todo;
  {
    std::lock_guard const lock(event_mutex());
    todo.swap(events());
  }
  for (host_event const& e : todo) {
    auto* const memory = static_cast<std::byte*>(e.memory);
    switch (e.what) {
      case host_event::kind::allocated:
        add(memory, {e.bytes, memory_of::buffer, 0});
        mark_forbidden(memory - red_zone, red_zone, true);
        mark_forbidden(memory, e.bytes, false);
        mark_forbidden(memory + e.bytes, red_zone, true);
        mark_unwritten(memory, e.bytes, true);
        break;
      case host_event::kind::deallocated:
        if (auto const r = regions().find(number(memory)); r != regions().end()) {
          mark_forbidden(memory - red_zone, r->second.bytes + 2 * red_zone, false);
          mark_unwritten(memory, r->second.bytes, false);
          regions().erase(r);
        }
        break;
      case host_event::kind::written:
        mark_unwritten(memory, e.bytes, false);
        break;
    }
  }
}

void shared_memory_begins(void* memory, std::size_t capacity, std::size_t dynamic_bytes, unsigned block) {
  auto const first = number(memory);
  std::erase_if(regions(), [&](auto const& r) { return r.first - first < capacity; });
  forget_words(memory, capacity);
  forget_accesses(memory, capacity);
  mark_forbidden(memory, capacity, true);
  if (dynamic_bytes == 0) return;
  add(memory, {dynamic_bytes, memory_of::dynamic_shared, block});
  mark_forbidden(memory, dynamic_bytes, false);
  mark_unwritten(memory, dynamic_bytes, true);
}

void shared_memory_ends(void* memory, std::size_t capacity) {
  auto const first = number(memory);
  auto& all = early_reads();
  for (auto e = all.lower_bound(first); e != all.end() && e->first - first < capacity; e = all.erase(e))
    report(finding_kind::uninitialised_shared,
           "nobody in this block writes what is read; shared memory holds garbage at first", {e->second.where},
           name_of(reinterpret_cast<void const*>(e->first), e->second.bytes),
           "write every element before it is read, with a block barrier between");
}

void shared_variable_made(void* memory, std::size_t bytes, unsigned block) {
  add(memory, {bytes, memory_of::shared_variable, block});
  mark_forbidden(memory, bytes, false);
  mark_unwritten(memory, bytes, true);
}

void stack_memory(void* memory, std::size_t bytes, bool exists) { mark_ignored(memory, bytes, exists); }

std::string name_of(void const* address, unsigned bytes) {
  auto const* const found = nearest(number(address));
  if (found == nullptr) {
    if (bytes == 0) return "memory that is no buffer";
    return "a word of " + std::to_string(bytes) + " bytes outside buffers (a global variable, or the host's memory)";
  }
  auto const& [first, r] = *found;
  if (number(address) < first)
    return text(r) + ", " + std::to_string(first - number(address)) + " bytes before its start";
  std::size_t const offset = number(address) - first;
  if (offset >= r.bytes) return text(r) + ", " + std::to_string(offset - r.bytes) + " bytes behind its end";
  std::string result = text(r) + ", at byte " + std::to_string(offset);
  if (bytes != 0 && offset % bytes == 0)
    result += " (element " + std::to_string(offset / bytes) + " of " + std::to_string(bytes) + " bytes)";
  return result;
}

bool check_marks(lane_record& r, memory_access const& a, shadow_page& page, std::size_t at, std::size_t bytes,
                 stack_id stack) {
  if (page.any_forbidden(at, bytes)) {
    report(finding_kind::out_of_bounds, "the access is outside every buffer and shared variable",
           {place_of(r, stack, describe(a))}, name_of(reinterpret_cast<void const*>(a.address), 0),
           "compare the index with the number of elements; the last block of a grid often has fewer");
    return false;
  }
  if (!page.any_unwritten(at, bytes)) return true;
  if (a.write && !a.read_modify_write) {
    page.set_unwritten(at, bytes, false);
    if (auto const early = early_reads().find(a.address);
        early != early_reads().end() && early->second.reader != r.self)
      early_reads().erase(early);
    return true;
  }
  auto const* const found = nearest(a.address);
  bool const shared = found != nullptr && found->second.what != memory_of::buffer;
  bool const still_unwritten = shared || a.found_poison || looks_unwritten(a.address, bytes);
  if (still_unwritten && a.atomic)
    report(finding_kind::uninitialised_sync_word, "nobody has written the word before this atomic access reads it",
           {place_of(r, stack, describe(a))},
           name_of(reinterpret_cast<void const*>(a.address), static_cast<unsigned>(a.bytes)),
           shared ? "one thread stores the first value, and a block barrier orders that before the others"
                  : "fill the buffer before the launch, or have one thread store the first value before a barrier");
  else if (still_unwritten && shared)
    // Somebody may write it yet: then the two are a race, and told as such.
    early_reads().try_emplace(a.address,
                              early_read{place_of(r, stack, describe(a)), static_cast<unsigned>(a.bytes), r.self});
  if (a.atomic || a.write || !still_unwritten) page.set_unwritten(at, bytes, false);
  return true;
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
