// A set of lanes of one wave.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/backend/wave.hpp>
#include <fermata/detail/call_site.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

class lane_group;

// Opaque on purpose: a raw mask integer is 32 bits on one vendor and 64 on the other, and the code that mixes
// them is silently wrong. The interface is made for 64 lanes; the storage has the target's width, so that a mask
// costs what a hand-written one costs. There is no conversion to an integer but to_uint64(), and no operation
// shifts by the width. A mask belongs to device code: do not pass one to a kernel (its size differs by target).
class lane_mask {
 public:
  // The empty set.
  FERMATA_DEVICE constexpr lane_mask() noexcept : bits_(0) {}

  // The lanes 0 … n - 1. Pre: n <= wave size.
  FERMATA_DEVICE static constexpr lane_mask all(unsigned n) noexcept {
    // Shifting by the word's width is undefined; n == 0 is the case that a right shift cannot express.
    return lane_mask(n == 0 ? word{0} : static_cast<word>(~word{0}) >> (word_bits - n));
  }

  // The lanes before `lane`: all(lane), named for prefix counts. Pre: lane < wave size.
  FERMATA_DEVICE static constexpr lane_mask below(unsigned lane) noexcept {
    return lane_mask(static_cast<word>((word{1} << lane) - 1));
  }

  // The one lane. Pre: lane < wave size.
  FERMATA_DEVICE static constexpr lane_mask single(unsigned lane) noexcept { return lane_mask(word{1} << lane); }

  // A set from bits made elsewhere; lane i is bit i. Bits beyond the target's wave are dropped.
  FERMATA_DEVICE static lane_mask from_uint64(std::uint64_t bits) noexcept {
    // The word may be wider than the wave, where the width is chosen at run time; elsewhere the `&` folds away.
    return lane_mask(static_cast<word>(bits)) & all(backend::wave_size());
  }

  FERMATA_DEVICE constexpr std::uint64_t to_uint64() const noexcept { return bits_; }

  FERMATA_DEVICE constexpr bool test(unsigned lane) const noexcept { return (bits_ >> lane) & 1; }
  FERMATA_DEVICE constexpr bool any() const noexcept { return bits_ != 0; }
  FERMATA_DEVICE constexpr bool none() const noexcept { return bits_ == 0; }

  // The number of lanes.
  FERMATA_DEVICE unsigned count() const noexcept { return backend::count_bits(bits_); }
  // The lowest and the highest lane. Pre: any().
  FERMATA_DEVICE unsigned first() const noexcept { return backend::lowest_bit(bits_); }
  FERMATA_DEVICE unsigned last() const noexcept { return backend::highest_bit(bits_); }

  FERMATA_DEVICE friend constexpr lane_mask operator&(lane_mask a, lane_mask b) noexcept {
    return lane_mask(a.bits_ & b.bits_);
  }
  FERMATA_DEVICE friend constexpr lane_mask operator|(lane_mask a, lane_mask b) noexcept {
    return lane_mask(a.bits_ | b.bits_);
  }
  FERMATA_DEVICE friend constexpr lane_mask operator^(lane_mask a, lane_mask b) noexcept {
    return lane_mask(a.bits_ ^ b.bits_);
  }
  // The difference: the lanes of a that are not in b. (A complement would depend on the width.)
  FERMATA_DEVICE friend constexpr lane_mask operator-(lane_mask a, lane_mask b) noexcept {
    return lane_mask(a.bits_ & ~b.bits_);
  }
  FERMATA_DEVICE friend constexpr bool operator==(lane_mask a, lane_mask b) noexcept { return a.bits_ == b.bits_; }

  // Iterates over the lanes from low to high: for (unsigned lane : mask).
  class iterator {
   public:
    FERMATA_DEVICE unsigned operator*() const noexcept { return backend::lowest_bit(rest_); }
    FERMATA_DEVICE iterator& operator++() noexcept {
      rest_ &= rest_ - 1;
      return *this;
    }
    FERMATA_DEVICE bool operator!=(iterator const& other) const noexcept { return rest_ != other.rest_; }

   private:
    friend class lane_mask;
    FERMATA_DEVICE explicit iterator(backend::lane_word rest) noexcept : rest_(rest) {}
    backend::lane_word rest_;
  };
  FERMATA_DEVICE iterator begin() const noexcept { return iterator(bits_); }
  FERMATA_DEVICE iterator end() const noexcept { return iterator(0); }

 private:
  friend class wave_group;
  friend class lane_group;
  template <unsigned N, class Parent>
  friend class tile;
  FERMATA_DEVICE friend lane_group active_lanes(detail::call_site) noexcept;

  using word = backend::lane_word;
  static constexpr unsigned word_bits = sizeof(word) * 8;

  FERMATA_DEVICE explicit constexpr lane_mask(word bits) noexcept : bits_(bits) {}

  word bits_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
