// Return addresses as lines of the source, from the debug information of the program, through binutils' addr2line.
#pragma once

#include <fermata/detail/config.hpp>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {

struct source_line {
  std::string file;  // empty if it is not known
  unsigned line = 0;
  std::string function;
};

class symboliser {
 public:
  static symboliser& instance();

  // For each stack (return addresses, innermost first) the innermost line that is neither fermata's own nor the
  // standard library's. Where there is none, the innermost line; where the program has no debug information, the
  // function and, instead of the file, nothing. Costs one start of addr2line for all addresses that are new.
  std::vector<source_line> user_lines(std::vector<std::vector<void const*>> const& stacks);

 private:
  void resolve(std::vector<void const*> const& addresses);

  std::mutex mutex_;
  // The lines of an address: of the function, and, before it, of what is inlined there.
  std::unordered_map<void const*, std::vector<source_line>> lines_;
};

// Whether two stacks are in different lines of the kernel's own. False where a line is not known: one line can be
// several instructions, and nothing is held against lanes that may be in one. On the worker.
bool in_different_lines(std::vector<void const*> const& a, std::vector<void const*> const& b);

// Whether a file is one of fermata's headers or sources, or of the standard library.
bool is_library_file(std::string_view file) noexcept;

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
