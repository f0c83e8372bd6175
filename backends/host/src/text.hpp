// Numbers and names as reports have them.
#pragma once

#include <cstdint>
#include <fermata/detail/config.hpp>
#include <fermata/scope.hpp>
#include <string>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

char const* scope_name(thread_scope scope) noexcept;
std::string hexadecimal(std::uint64_t value);  // 0x2a

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
