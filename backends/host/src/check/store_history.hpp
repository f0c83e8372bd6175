// The last stores to a word, and which of them each lane has seen. Neither asks for memory once it has grown: what is
// new is recorded in the place of what is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <utility>
#include <vector>

#include "clock.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// The last `Most` records, oldest first.
template <class Record, std::size_t Most>
class last_ones {
 public:
  std::size_t size() const noexcept { return records_.size(); }
  Record& operator[](std::size_t i) noexcept { return records_[place_of(i)]; }
  Record const& operator[](std::size_t i) const noexcept { return records_[place_of(i)]; }
  Record const& front() const noexcept { return (*this)[0]; }
  Record& back() noexcept { return (*this)[size() - 1]; }
  Record const& back() const noexcept { return (*this)[size() - 1]; }

  // The place of the next record, which holds the one that is forgotten, if there is one.
  Record& next() {
    if (records_.size() < Most) return records_.emplace_back();
    Record& oldest = records_[first_];
    first_ = (first_ + 1) % Most;
    return oldest;
  }

 private:
  std::size_t place_of(std::size_t i) const noexcept { return records_.size() < Most ? i : (first_ + i) % Most; }

  std::vector<Record> records_;
  std::size_t first_ = 0;
};

// A number for each of some lanes, zero for the others.
class numbers_of_lanes {
 public:
  std::uint64_t of(node lane) const noexcept { return slots_.empty() ? 0 : slots_[place_of(lane)].second; }
  std::uint64_t& operator[](node lane) {
    if (4 * count_ >= 3 * slots_.size()) grow();
    auto& slot = slots_[place_of(lane)];
    if (slot.first == nobody) {
      slot.first = lane;
      ++count_;
    }
    return slot.second;
  }

 private:
  // Where the lane is, or would be. Some place is free.
  std::size_t place_of(node lane) const noexcept {
    std::size_t const mask = slots_.size() - 1;
    std::size_t i = lane * 2654435761u >> 7 & mask;
    while (slots_[i].first != lane && slots_[i].first != nobody) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    auto const before = std::move(slots_);
    slots_.assign(before.empty() ? 4 : 2 * before.size(), {nobody, 0});
    for (auto const& [lane, number] : before)
      if (lane != nobody) slots_[place_of(lane)] = {lane, number};
  }

  std::vector<std::pair<node, std::uint64_t>> slots_;  // a power of two
  std::size_t count_ = 0;
};

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
