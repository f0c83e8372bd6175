// What a barrier does when all have arrived.
#pragma once

#include <type_traits>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// The completion of a barrier that has none.
struct no_completion {
  FERMATA_FN void operator()() const noexcept {}
};

namespace detail {

// A completion to derive from: no bytes for one without state. (A base class, because nvcc's two passes do not agree on
// what [[no_unique_address]] does to the size of a class, and the host allocates what the device uses.)
template <class Completion, bool Empty = std::is_empty_v<Completion>>
class completion_holder {
 protected:
  FERMATA_DEVICE void hold(Completion completion) noexcept { completion_ = completion; }
  FERMATA_DEVICE void complete() noexcept { completion_(); }

 private:
  Completion completion_;
};
template <class Completion>
class completion_holder<Completion, true> {
 protected:
  FERMATA_DEVICE void hold(Completion) noexcept {}
  FERMATA_DEVICE void complete() noexcept { Completion{}(); }
};

}  // namespace detail

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
