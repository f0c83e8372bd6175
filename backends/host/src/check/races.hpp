// Accesses that are not ordered, and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <string>

#include "findings.hpp"
#include "records.hpp"
#include "shadow.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

struct memory_access {
  std::uintptr_t address;
  std::size_t bytes;
  bool write;
  bool atomic;
  thread_scope scope = thread_scope::thread;
  bool is_volatile = false;
  bool read_modify_write = false;
  bool found_poison = false;  // a read-modify-write has found what unwritten memory is filled with
};

// Reports what is wrong with the access, and remembers it.
void check_access(lane_record& r, memory_access const& a, stack_id stack);

// Of the part of an access within one page: whether it touches memory that belongs to nothing, or what nobody has
// written. Reports it, and takes note of what it writes. False if the access must not be looked at any further.
bool check_marks(lane_record& r, memory_access const& a, shadow_page& page, std::size_t at, std::size_t bytes,
                 stack_id stack);

// An access to the word by another lane that nothing orders before what the lane does now; null if there is none.
record const* unordered_access(lane_record const& r, std::uintptr_t address, bool writes_too);

// The record of a lane whose block is resident; else null.
lane_record* lane_record_of(node lane) noexcept;

// What a report calls an access: "atomic write of 4 bytes at device scope".
std::string describe(memory_access const& a);

void note_broken_edge(broken_edge e);
void forget_broken_edges() noexcept;

// A place of a finding.
raw_place place_of(node lane, stack_id stack, std::string access);
raw_place place_of(lane_record const& r, stack_id stack, std::string access);

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
