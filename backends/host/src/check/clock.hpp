// Vector clocks of thousands of lanes. What a lane knows of the others is a sorted list of entries, one for a lane, a
// wave or a whole block: after a block barrier one entry stands for all its lanes.
//
// Each lane counts its releases. An access has the count at its time, a tick; an entry (who, before) says that every
// access of `who` with a tick below `before` happens before the holder's next access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fermata/detail/config.hpp>
#include <utility>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

// A block, a wave or a lane. The block comes first, then its waves, then its lanes: a block is a range of numbers.
using node = std::uint32_t;
using tick = std::uint32_t;
inline constexpr node nobody = 0;

// How the nodes of one launch are numbered.
struct layout {
  node first = 1;            // of block 0
  unsigned blocks = 0;       // in the grid
  unsigned waves = 0;        // of a block
  unsigned lanes = 0;        // of a block
  unsigned wave_size = 32;   // in lanes
  std::uint64_t launch = 0;  // which one

  unsigned stride() const noexcept { return 1 + waves + lanes; }
  node last() const noexcept { return first + blocks * stride(); }  // the first that is none of it
  bool has(node n) const noexcept { return n - first < blocks * stride(); }
  unsigned block_of(node n) const noexcept { return (n - first) / stride(); }
  node block_node(unsigned block) const noexcept { return first + block * stride(); }
  node wave_node(unsigned block, unsigned wave) const noexcept { return block_node(block) + 1 + wave; }
  node lane_node(unsigned block, unsigned rank) const noexcept { return block_node(block) + 1 + waves + rank; }
  unsigned rank_of(node lane) const noexcept { return (lane - first) % stride() - 1 - waves; }
};

// The layout that the node belongs to. Launches that run at the same time have a layout each.
layout const& layout_of(node n) noexcept;
layout const& add_layout(unsigned blocks, unsigned lanes, unsigned wave_size);
// The launch has ended. When none is left the numbers begin again.
void remove_layout(std::uint64_t launch) noexcept;
bool no_layouts() noexcept;
// Whether the launch that the node belonged to had ended before the launch `now` began.
bool ended_before(node n, layout const& now) noexcept;

// A counted reference. Not for threads: one worker does all of this.
template <class T>
class ref {
 public:
  ref() = default;
  explicit ref(T* object) noexcept : object_(object) { take(); }
  ref(ref const& other) noexcept : object_(other.object_) { take(); }
  ref(ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ref& operator=(ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ref() {
    if (object_ != nullptr && --object_->references == 0) delete object_;
  }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  bool operator==(ref const& other) const noexcept { return object_ == other.object_; }

 private:
  void take() noexcept {
    if (object_ != nullptr) ++object_->references;
  }
  T* object_ = nullptr;
};

struct entry {
  node who;
  tick before;
};

// Never changed once it is shared.
struct clock {
  std::vector<entry> entries;  // by node; none says what the entry of its block says already
  mutable std::uint32_t references = 0;

  // Whether an access of the lane with the tick is known.
  bool knows(node lane, tick when) const noexcept;
};
using clock_ref = ref<clock const>;

// The union of what both know. Either may be null.
clock_ref joined(clock_ref const& a, clock_ref const& b);
// With one more entry.
clock_ref with(clock_ref const& a, entry more);
// What it says of the nodes from `first` up to `last` alone; null if nothing.
clock_ref restricted(clock_ref const& a, node first, node last);

// What a lane knew at some point: the clock of its block, its own, and its own accesses up to then.
struct snapshot {
  clock_ref base, extra;
  entry own;
  mutable clock_ref flat_clock;
  mutable std::uint32_t references = 0;

  bool knows(node lane, tick when) const noexcept;
  clock_ref const& flat() const;  // as one clock; made when it is first wanted

  // Each lane makes one between two barriers, and they go as quickly: those that are over are kept for the next ones.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* p) noexcept;
};
using snapshot_ref = ref<snapshot const>;

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
