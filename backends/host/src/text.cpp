#include "text.hpp"

#include <array>
#include <charconv>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

char const* scope_name(thread_scope scope) noexcept {
  switch (scope) {
    case thread_scope::thread:
      return "thread";
    case thread_scope::wave:
      return "wave";
    case thread_scope::block:
      return "block";
    case thread_scope::cluster:
      return "cluster";
    case thread_scope::device:
      return "device";
    case thread_scope::system:
      return "system";
  }
  return "unknown";
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  char const* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(static_cast<char const*>(digits.data()), end);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
