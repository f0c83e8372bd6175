// Kernels that are right for one width of the wave alone.
//
//   FERMATA_KERNEL butterfly(float* x) { … five steps, as for 32 lanes … }
//   FERMATA_REQUIRE_WAVE(32, butterfly);            at namespace scope; one or more kernels, templates by instance
//
// A launch of such a kernel to a device of the other width is refused with errc::unsupported. The device code is the
// same as without: a build for several architectures compiles the kernel for all of them.
// The requirement is known as soon as the static objects of the file are, in every file that launches the kernel.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

struct wave_requirement {
  unsigned width;
  std::string kernel;
};

class wave_requirements {
 public:
  static wave_requirements& instance() {
    static wave_requirements all;
    return all;
  }
  void add(void const* kernel, wave_requirement requirement) {
    std::lock_guard const lock(mutex_);
    by_kernel_.insert_or_assign(kernel, std::move(requirement));
  }
  std::optional<wave_requirement> find(void const* kernel) {
    std::lock_guard const lock(mutex_);
    auto const found = by_kernel_.find(kernel);
    return found == by_kernel_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<void const*, wave_requirement> by_kernel_;
};

// The first of the names in the text of a macro's arguments, which it loses: up to a comma that is in no brackets.
inline std::string take_name(std::string_view& names) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < names.size() && !(names[end] == ',' && depth == 0); ++end) {
    depth += names[end] == '<' || names[end] == '(';
    depth -= names[end] == '>' || names[end] == ')';
  }
  std::string name(names.substr(0, end));
  names.remove_prefix(end < names.size() ? end + 1 : end);
  while (!names.empty() && names.front() == ' ') names.remove_prefix(1);
  return name;
}

template <class... Kernels>
bool require_wave(unsigned width, std::string_view names, Kernels*... kernels) {
  (wave_requirements::instance().add(reinterpret_cast<void const*>(kernels), {width, take_name(names)}), ...);
  return true;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND

#define FERMATA_DETAIL_JOIN_(a, b) a##b
#define FERMATA_DETAIL_JOIN(a, b) FERMATA_DETAIL_JOIN_(a, b)

// Static, so that a header may say it: each file that includes it registers the same.
#define FERMATA_REQUIRE_WAVE(width, ...)                                                            \
  static_assert((width) == 32 || (width) == 64, "FERMATA_REQUIRE_WAVE: a wave has 32 or 64 lanes"); \
  [[maybe_unused]] static bool const FERMATA_DETAIL_JOIN(fermata_requires_wave_, __LINE__) =        \
      ::fermata::detail::require_wave(width, #__VA_ARGS__, __VA_ARGS__)
